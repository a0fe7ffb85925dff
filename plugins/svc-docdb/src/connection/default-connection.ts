/**
 * Mongoose's default connection on the client of a connector, so that the models of `mongoose.model()` answer. It stays
 * its own connection: names of its models and of entities do not meet. It is one for the whole process, or for
 * each `new Mongoose()`, and so belongs to one application at a time.
 */
import type { MongoClient } from 'mongodb'
import mongoose, { type Connection, type Mongoose } from 'mongoose'
import { BootError, type Problem } from 'svc-kernel'

const AT = 'svc-docdb.parts.mongoose'

const DISCONNECTED = mongoose.ConnectionStates.disconnected

/** The form of `close` that Mongoose has for connections which share a client, as those of `useDb` do. */
const WITHOUT_CLIENT = { force: false, skipCloseClient: true } as unknown as boolean

/** Those that an application of this process holds. */
const held = new WeakSet<Connection>()

export class DefaultConnection {
  readonly #mongoose: Mongoose
  readonly #waitMs: number
  #held = false
  /** As the application has set it. */
  #bufferTimeoutMs: number | undefined

  /**
   * @param given the Mongoose of the application
   * @param waitMs how long a call waits for the first connection, unless the application has set its own time
   * @throws BootError (SVC_DOCDB_MONGOOSE) for another copy of Mongoose: it takes clients of its own driver only
   */
  constructor(given: Mongoose, waitMs: number) {
    if (given.mongo?.MongoClient !== mongoose.mongo.MongoClient) throw new BootError([anotherCopy(given.version)])
    this.#mongoose = given
    this.#waitMs = waitMs
  }

  /** Takes it for this application. @throws BootError (SVC_DOCDB_MONGOOSE) where it is held, or connected */
  hold(): void {
    const { connection } = this.#mongoose
    if (this.#held) return
    if (held.has(connection)) throw new BootError([heldAlready()])
    if (connection.readyState !== DISCONNECTED) throw new BootError([connectedAlready()])
    held.add(connection)
    this.#held = true
    this.#bufferTimeoutMs = connection.config.bufferTimeoutMS
    connection.config.bufferTimeoutMS ??= this.#mongoose.get('bufferTimeoutMS') ?? this.#waitMs
  }

  /** @param client connected @throws BootError (SVC_DOCDB_MONGOOSE) where it was connected to another one meanwhile */
  bind(client: MongoClient): void {
    const { connection } = this.#mongoose
    if (connection.readyState !== DISCONNECTED) throw new BootError([connectedAlready()])
    connection.setClient(client)
  }

  /** Disconnected, and free for the next application; the client stays open, and so does what another one connected. */
  async release(client: MongoClient): Promise<void> {
    if (!this.#held) return
    const { connection } = this.#mongoose
    connection.config.bufferTimeoutMS = this.#bufferTimeoutMs
    if (connection.getClient() === client) await connection.close(WITHOUT_CLIENT)
    held.delete(connection)
    this.#held = false
  }
}

/** Models of the default connection that nothing connects: each of their calls would wait, and then fail. */
export function unconnectedModels(): Problem | null {
  const { connection } = mongoose
  const names = connection.modelNames()
  if (names.length === 0 || connection.readyState !== DISCONNECTED) return null
  return {
    code: 'SVC_DOCDB_MONGOOSE',
    message: "models use Mongoose's default connection, which is not connected: their calls wait, then fail",
    at: AT,
    got: `models ${names.join(', ')}`,
    expected: 'a default connection that is connected',
    fix: "pass Mongoose as parts: { mongoose }, with import mongoose from 'mongoose'; or call mongoose.connect()",
    more: 'npx svc docs mongoose-models'
  }
}

function connectedAlready(): Problem {
  return {
    code: 'SVC_DOCDB_MONGOOSE',
    message: "Mongoose's default connection is connected already",
    at: AT,
    got: 'a connection that mongoose.connect() has opened',
    expected: 'a connection that svc-docdb opens, on its own client',
    fix: 'remove mongoose.connect() and set DOCDB_URI to its address; or remove parts.mongoose',
    more: 'npx svc docs mongoose-models'
  }
}

function heldAlready(): Problem {
  return {
    code: 'SVC_DOCDB_MONGOOSE',
    message: "another application in this process uses Mongoose's default connection",
    at: AT,
    got: 'a Mongoose that is in use',
    expected: 'one Mongoose for each application at a time',
    fix: 'close the other application first, or create a new Mongoose() for each',
    more: 'npx svc docs mongoose-models'
  }
}

function anotherCopy(version: unknown): Problem {
  return {
    code: 'SVC_DOCDB_MONGOOSE',
    message: 'parts.mongoose is a different copy of Mongoose from that of svc-docdb',
    at: AT,
    got: typeof version === 'string' ? `mongoose ${version}` : 'no Mongoose',
    expected: `mongoose ${mongoose.version}, installed once`,
    fix: 'npm ls mongoose mongodb, then install the version that svc-docdb depends on'
  }
}
