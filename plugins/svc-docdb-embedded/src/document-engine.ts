/** The running engine: a server on loopback over one catalogue. Closing it ends connections, transactions and the file. */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { Engine, EngineMode } from './commands/command.ts'
import { CursorRegistry } from './commands/cursor-registry.ts'
import { executeCommand } from './commands/execute-command.ts'
import { SET_NAME } from './commands/handshake-commands.ts'
import { EnginePortUnusable } from './errors.ts'
import type { Catalog } from './storage/catalog.ts'
import { expireDocuments } from './storage/expire-documents.ts'
import { SessionRegistry } from './transactions/session-registry.ts'
import { serveConnection } from './wire/serve-connection.ts'

const HOST = '127.0.0.1'

/** Milliseconds between two removals of expired documents, as in MongoDB. */
const EXPIRY_MS = 60_000

export interface EngineParts {
  readonly mode: EngineMode
  readonly catalog: Catalog
  readonly now: () => Date
}

/** A running engine on 127.0.0.1. `close` ends its connections and transactions, and closes its file. */
export class DocumentEngine {
  readonly #engine: Engine
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #expiry: NodeJS.Timeout | undefined
  #connections = 0
  #port = 0
  #closed: Promise<void> | null = null

  constructor({ mode, catalog, now }: EngineParts) {
    this.#engine = {
      catalog,
      mode,
      now,
      startedAt: now(),
      cursors: new CursorRegistry(now),
      sessions: new SessionRegistry(catalog.transactions, now),
      address: () => `${HOST}:${this.#port}`
    }
    this.#server = createServer((socket) => this.#serve(socket))
  }

  /** The port it listens on. */
  get port(): number {
    return this.#port
  }

  /** The connection string, without a database. */
  get uri(): string {
    const query = this.#engine.mode === 'replicaSet' ? `replicaSet=${SET_NAME}` : 'directConnection=true'
    return `mongodb://${HOST}:${this.#port}/?${query}`
  }

  /** @throws EnginePortUnusable */
  async listen(port: number): Promise<void> {
    this.#server.listen(port, HOST)
    try {
      await once(this.#server, 'listening')
    } catch (error) {
      throw new EnginePortUnusable(String(port), error instanceof Error ? error.message : String(error))
    }
    const address = this.#server.address()
    this.#expiry = setInterval(() => this.#expire(), EXPIRY_MS).unref()
    this.#port = typeof address === 'object' && address !== null ? address.port : port
  }

  /** Stops the engine; every acknowledged write is in the file. May be called twice. */
  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  #expire(): void {
    try {
      expireDocuments(this.#engine.catalog, this.#engine.now())
    } catch {
      // The file cannot be written: the documents were restored, and are removed the next time.
    }
  }

  async #end(): Promise<void> {
    clearInterval(this.#expiry)
    const closed = this.#server.listening ? once(this.#server, 'close') : null
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
    this.#engine.sessions.close()
    // Writes that waited for those transactions are tried once more before the file is closed under them.
    await new Promise((resolve) => setImmediate(resolve))
    const { catalog } = this.#engine
    try {
      catalog.flush(catalog.failures)
    } finally {
      catalog.journal.close()
    }
  }

  #serve(socket: Socket): void {
    this.#connections += 1
    const connection = this.#connections
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    serveConnection(socket, (body) => executeCommand(this.#engine, body, connection))
  }
}
