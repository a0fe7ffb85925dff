/**
 * One client on one database, for the life of the application: Mongoose and the
 * native access share it. A server that cannot be reached costs nobody the
 * process: opening goes on in the background, and operations answer 503 meanwhile.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from 'mongodb'
import mongoose, { type ClientSession, type Connection } from 'mongoose'
import type { Clock } from 'svc-kernel'
import { type ConnectionHealth, ConnectionUnavailable, type FlowStatistics } from 'svc-orm'
import { KeptCollections } from './kept-collections.ts'
import { RetryDelay } from './retry-delay.ts'
import { readServerFacts, type ServerFacts } from './server-facts.ts'
import { TopologyWatch } from './topology-watch.ts'

export interface ConnectionTarget {
  /** Names its database. */
  readonly uri: string
  readonly database: string
  /** `uri` without credentials. */
  readonly shown: string
  readonly selectionTimeoutMs: number
  readonly maxPoolSize: number
}

export interface ConnectionParts {
  readonly name: string
  readonly target: ConnectionTarget
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly flow: FlowStatistics
  /** Whether the client tells its commands. */
  readonly debug: boolean
}

export class DocumentConnection {
  readonly name: string
  readonly target: ConnectionTarget
  readonly client: InstanceType<typeof mongoose.mongo.MongoClient>
  readonly mongoose: Connection
  readonly collections = new KeptCollections()
  readonly #parts: ConnectionParts
  readonly #watch: TopologyWatch
  readonly #retry: RetryDelay
  #facts: ServerFacts | null = null
  #closing = false
  #absenceLogged = false
  #connectedSince: number | null = null
  #connectCount = 0
  #errorCount = 0
  #lastError: string | null = null

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.name = parts.name
    this.target = parts.target
    const { uri, selectionTimeoutMs, maxPoolSize } = parts.target
    this.client = new mongoose.mongo.MongoClient(uri, {
      serverSelectionTimeoutMS: selectionTimeoutMs,
      connectTimeoutMS: selectionTimeoutMs,
      maxPoolSize,
      appName: 'svc-docdb',
      monitorCommands: parts.debug
    })
    this.mongoose = mongoose.createConnection()
    this.mongoose.set('bufferCommands', false)
    this.#watch = new TopologyWatch(this.client, (writable) => this.#changed(writable))
    this.#retry = new RetryDelay(parts.clock)
  }

  /** Whether a server takes writes at the moment. */
  get connected(): boolean {
    return this.#facts !== null && this.#watch.writable && !this.#closing
  }

  /** Whether the application is shutting down. */
  get closing(): boolean {
    return this.#closing
  }

  /** `null` until it was connected once. */
  get facts(): ServerFacts | null {
    return this.#facts
  }

  /** The database as the driver has it; usable when it is connected. */
  get db(): Db {
    return this.client.db(this.target.database)
  }

  /** Tries once; what fails is logged and tried again later, with growing pauses. Never rejects. */
  async open(): Promise<void> {
    try {
      await this.client.connect()
      if (this.#closing) return
      this.#facts = await readServerFacts(this.db)
      this.mongoose.setClient(this.client)
      this.#parts.log.info({ connector: this.name, target: this.target.shown }, 'the document database is connected')
    } catch (error) {
      this.#failed(error)
      return
    }
    await this.collections.createIndexes(this.db, (collection, error) => {
      this.noteError(error)
      const facts = { code: 'SVC_DOCDB_OPENING', connector: this.name, collection, err: error }
      this.#parts.log.error(facts, 'the indexes of a collection could not be made')
    })
  }

  /** @throws ConnectionUnavailable (503) at once, rather than after a wait that cannot end well */
  assertConnected(): void {
    if (!this.connected) throw new ConnectionUnavailable(this.name)
  }

  startSession(): ClientSession {
    return this.client.startSession()
  }

  /** Pings the server; never rejects. */
  async health(): Promise<ConnectionHealth> {
    const started = performance.now()
    const answered = await this.#ping()
    return {
      connected: this.connected && answered,
      connectedSince: this.connected ? this.#connectedSince : null,
      connectCount: this.#connectCount,
      reconnectCount: Math.max(0, this.#connectCount - 1),
      errorCount: this.#errorCount,
      lastError: this.#lastError,
      pingMs: answered ? performance.now() - started : null,
      latency: this.#parts.flow.latency(),
      pool: this.#watch.pool
    }
  }

  /** Notes an operation that met no server. */
  noteError(error: unknown): void {
    this.#errorCount += 1
    this.#lastError = error instanceof Error ? error.name : 'unknown'
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#retry.stop()
    await this.mongoose.destroy(true).catch(() => undefined)
    await this.client.close(true)
  }

  async #ping(): Promise<boolean> {
    if (!this.connected) return false
    try {
      await this.db.command({ ping: 1 }, { timeoutMS: this.target.selectionTimeoutMs })
      return true
    } catch (error) {
      this.noteError(error)
      return false
    }
  }

  #changed(writable: boolean): void {
    if (this.#closing) return
    if (writable) {
      this.#connectCount += 1
      this.#connectedSince = this.#parts.clock.now()
      if (this.#connectCount > 1) this.#parts.log.info({ connector: this.name }, 'the document database is back')
      return
    }
    this.#parts.log.error(
      { code: 'SVC_DOCDB_LOST', connector: this.name, target: this.target.shown },
      'the document database is gone; operations answer 503 until it is back'
    )
  }

  #failed(error: unknown): void {
    this.noteError(error)
    if (this.#closing) return
    const delayMs = this.#retry.next(() => void this.open())
    // Told once: every further try is the same outage.
    const level = this.#absenceLogged ? 'debug' : 'error'
    this.#absenceLogged = true
    this.#parts.log[level](
      {
        code: 'SVC_DOCDB_UNREACHABLE',
        connector: this.name,
        target: this.target.shown,
        cause: this.#lastError,
        delayMs
      },
      'the document database cannot be reached; operations answer 503 until it can'
    )
  }
}
