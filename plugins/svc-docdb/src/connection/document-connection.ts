/**
 * One client on one database, for the life of the application: Mongoose and the native access share it. A server that cannot
 * be reached does not stop the application: opening goes on in the background. An operation waits for a server that can take
 * it, up to `selectionTimeoutMs`: while one waits the driver looks for the server twice a second, else every ten seconds.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from 'mongodb'
import mongoose, { type ClientSession, type Connection, type Mongoose } from 'mongoose'
import { BootError, type Clock } from 'svc-kernel'
import { NativeAccess } from 'svc-orm/driver'
import { ConnectionUnavailable } from 'svc-stores'
import { type ConnectionHealth, ConnectionRecord, type TablePlan, WriteWatch } from 'svc-stores/table'
import { DatabaseFull } from '../errors.ts'
import { KeptCollections } from '../schema/kept-collections.ts'
import type { ConnectionTarget } from './connection-target.ts'
import { DefaultConnection } from './default-connection.ts'
import { refuseEndedSockets } from './ended-sockets.ts'
import { indexProblems } from './index-problems.ts'
import { PoolAdmission } from './pool-admission.ts'
import { RetryDelay } from './retry-delay.ts'
import { probeWrite, readServerFacts, type ServerFacts } from './server-facts.ts'
import { isGone, isUnreachable, storageFailure } from './storage-failure.ts'
import { TopologyWatch } from './topology-watch.ts'

export interface ConnectionParts {
  readonly name: string
  readonly target: ConnectionTarget
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Whether the client reports its commands. */
  readonly debug: boolean
  /** Its default connection is to share the client. */
  readonly mongoose?: Mongoose | undefined
}

export class DocumentConnection {
  readonly name: string
  readonly target: ConnectionTarget
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly client: InstanceType<typeof mongoose.mongo.MongoClient>
  readonly mongoose: Connection
  readonly collections = new KeptCollections()
  /** Of handles that are no repository. */
  readonly access: NativeAccess
  /** Of operations and transactions. */
  readonly admission: PoolAdmission
  readonly #parts: ConnectionParts
  readonly #watch: TopologyWatch
  readonly #retry: RetryDelay
  readonly #writes: WriteWatch
  readonly #default: DefaultConnection | null
  readonly #record = new ConnectionRecord()
  readonly #checks: ((db: Db) => Promise<void>)[] = []
  readonly #listeners: (() => Promise<void>)[] = []
  #facts: ServerFacts | null = null
  /** The attempt to open that runs, and that operations wait for. */
  #attempt: Promise<void> | null = null
  #attempts = 0
  #outages = 0
  #closing = false
  #absenceLogged = false

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.name = parts.name
    this.target = parts.target
    this.access = new NativeAccess(parts.name)
    this.clock = parts.clock
    this.log = parts.log
    const { uri, selectionTimeoutMs, maxPoolSize } = parts.target
    const patienceMs = selectionTimeoutMs
    this.admission = new PoolAdmission({ maxPoolSize, patienceMs, connected: () => this.connected })
    refuseEndedSockets()
    this.client = new mongoose.mongo.MongoClient(uri, {
      serverSelectionTimeoutMS: selectionTimeoutMs,
      connectTimeoutMS: selectionTimeoutMs,
      maxPoolSize,
      appName: 'svc-docdb',
      monitorCommands: parts.debug
    })
    this.mongoose = mongoose.createConnection()
    this.mongoose.config.bufferTimeoutMS = selectionTimeoutMs
    this.#default = parts.mongoose === undefined ? null : new DefaultConnection(parts.mongoose, selectionTimeoutMs)
    this.#watch = new TopologyWatch(this.client, (writable) => this.#changed(writable))
    this.#retry = new RetryDelay(parts.clock)
    this.#writes = new WriteWatch({ ...parts, probe: () => probeWrite(this.db) })
  }

  /** Whether a server takes writes at the moment, as far as the driver and the last operation know. */
  get connected(): boolean {
    return this.#facts !== null && this.#watch.writable && this.#record.connected && !this.#closing
  }

  /** How often it was found gone: what was asked before the last time, and answered behind it, does not bring it back. */
  get outages(): number {
    return this.#outages
  }

  /** Whether opening was tried: what is declared from here on has no indexes. */
  get started(): boolean {
    return this.#attempts > 0
  }

  /** Whether the application is shutting down. */
  get closing(): boolean {
    return this.#closing
  }

  /** `null` until it was connected once. */
  get facts(): ServerFacts | null {
    return this.#facts
  }

  /** The database as the driver has it, read on the primary; usable when it is connected. */
  get db(): Db {
    return this.client.db(this.target.database, { readPreference: 'primary' })
  }

  /**
   * Tries once. A server that cannot be reached is logged, and tried again later with growing pauses.
   *
   * @throws BootError (SVC_DOCDB_DUPLICATES) at the first attempt: documents contradict a unique index
   */
  async open(): Promise<void> {
    this.#attempt ??= this.#open().finally(() => {
      this.#attempt = null
    })
    return this.#attempt
  }

  /**
   * Waits for the first connection; later ones are the driver's own to wait for.
   *
   * @throws ConnectionUnavailable (503) when it cannot be opened, or the application shuts down
   */
  async opened(): Promise<void> {
    if (this.#facts === null && this.#attempts > 0 && !this.#closing) await this.open().catch(() => undefined)
    if (this.#facts === null || this.#closing) throw new ConnectionUnavailable(this.name)
  }

  /** Called before anything is made in the database. @param check a BootError of it ends the boot, or the attempt to open */
  beforeIndexes(check: (db: Db) => Promise<void>): void {
    this.#checks.push(check)
  }

  /** Called when it is connected for the first time, with its indexes in place; what fails is noted, and ends nothing. */
  whenConnected(listener: () => Promise<void>): void {
    this.#listeners.push(listener)
  }

  startSession(): ClientSession {
    return this.client.startSession()
  }

  /** Asks the server, also where the next try to open is not due yet. @throws ConnectionUnavailable, DatabaseFull (503) */
  async check(): Promise<void> {
    await this.opened()
    if (!(await this.#ping())) throw new ConnectionUnavailable(this.name)
    this.#writes.check()
  }

  /** Epoch ms; `null` while it is connected. */
  get disconnectedSince(): number | null {
    return this.#record.disconnectedSince
  }

  /** Pings the server; never rejects. */
  async health(): Promise<ConnectionHealth> {
    const started = performance.now()
    const answered = await this.#ping()
    return {
      ...this.#record.view(),
      connected: this.connected && answered,
      ...(!this.connected && { connectedSince: null }),
      pingMs: answered ? performance.now() - started : null,
      pool: this.#watch.pool
    }
  }

  /** The error to throw instead of one of the driver; what it says of the database is noted. */
  failure(error: unknown, plan: TablePlan | null = null): unknown {
    if (isGone(error)) this.#gone(error)
    else if (isUnreachable(error)) this.#noteError(error)
    const failure = storageFailure(error, this.name, plan)
    if (failure instanceof DatabaseFull) this.#writes.refused(failure, 'full')
    return failure
  }

  #noteError(error: unknown): void {
    this.#record.failed(error instanceof Error ? error.name : 'unknown', this.#parts.clock.now())
  }

  /** An operation was answered. @param outages as there were when it began */
  answered(outages: number): void {
    if (!this.#record.connected && outages === this.#outages) this.#back()
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#retry.stop()
    this.#writes.close()
    await this.#default?.release(this.client)
    await this.mongoose.destroy(true).catch(() => undefined)
    await this.client.close(true)
  }

  /** Also where the driver believes that there is no server: it then looks for one at once. */
  async #ping(): Promise<boolean> {
    if (this.#facts === null || this.#closing) return false
    const outages = this.#outages
    try {
      await this.db.command({ ping: 1 }, { timeoutMS: this.target.selectionTimeoutMs })
      this.answered(outages)
      return true
    } catch (error) {
      if (isGone(error)) this.#gone(error)
      else this.#noteError(error)
      return false
    }
  }

  async #open(): Promise<void> {
    this.#attempts += 1
    try {
      this.#default?.hold()
      await this.client.connect()
      const facts = await readServerFacts(this.db)
      for (const check of this.#checks) await check(this.db)
      await this.#createIndexes()
      if (this.#closing) return
      this.#default?.bind(this.client)
      this.mongoose.setClient(this.client)
      this.#facts = facts
      this.#retry.stop()
      this.#parts.log.info({ connector: this.name, target: this.target.shown }, 'the document database is connected')
      for (const listener of this.#listeners) await listener().catch((error: unknown) => this.#noteError(error))
    } catch (error) {
      this.#failed(error)
    }
  }

  /** @throws BootError without a unique index, because documents contradict it or the server cannot have it */
  async #createIndexes(): Promise<void> {
    const refused = await this.collections.createIndexes(this.db)
    const problems = await indexProblems(this.db, this.name, refused)
    if (problems.length > 0) throw new BootError(problems)
    for (const { collection, error } of refused) {
      if (isUnreachable(error)) throw error
      this.#noteError(error)
      const facts = { code: 'SVC_DOCDB_OPENING', connector: this.name, collection, err: error }
      this.#parts.log.error(facts, 'the indexes of a collection could not be made')
    }
  }

  #changed(writable: boolean): void {
    if (this.#closing) return
    if (!writable) this.#gone(null)
    else if (this.#facts === null) this.#back()
    // That the driver looks after a server by one connection says little of others.
    else void this.#ping()
  }

  #back(): void {
    if (this.#closing || !this.#watch.writable || !this.#record.up(this.#parts.clock.now())) return
    if (this.#record.view().reconnectCount > 0)
      this.#parts.log.info({ connector: this.name }, 'the document database is back')
  }

  /** The driver looks every ten seconds: an operation may find it first. @param error of the operation */
  #gone(error: unknown): void {
    this.#outages += 1
    if (error !== null) this.#noteError(error)
    if (this.#closing || !this.#record.connected) return
    this.#record.lost(this.#parts.clock.now())
    this.#parts.log.error(
      { code: 'SVC_DOCDB_LOST', connector: this.name, target: this.target.shown },
      'the document database is gone; operations wait for it, and fail with 503 if it does not come back in time'
    )
  }

  /** @throws BootError at the first attempt; later ones are logged, as the application runs by then */
  #failed(error: unknown): void {
    this.#noteError(error)
    if (this.#closing) return
    if (error instanceof BootError && this.#attempts === 1) throw error
    // Begun by an operation, between two attempts of ours: the log has the outage already.
    if (this.#retry.pending) return
    const delayMs = this.#retry.next(() => void this.open())
    const facts = { connector: this.name, target: this.target.shown, cause: this.#record.view().lastError, delayMs }
    if (error instanceof BootError) {
      this.#parts.log.error({ code: error.code, ...facts, err: error }, 'the document database cannot be used')
    } else {
      const text = 'the document database cannot be reached; operations fail with 503 until it can'
      // Every further attempt is the same outage.
      this.#parts.log[this.#absenceLogged ? 'debug' : 'error']({ code: 'SVC_DOCDB_UNREACHABLE', ...facts }, text)
      this.#absenceLogged = true
    }
  }
}
