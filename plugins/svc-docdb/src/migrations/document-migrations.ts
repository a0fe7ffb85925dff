/**
 * The migrations of a document database. What ran, and how far one that was cut short has come, is stored in a collection
 * beside the documents; one instance at a time migrates.
 */
import mongoose from 'mongoose'
import { BootError } from 'svc-kernel'
import {
  type ExecutedMigration,
  FoundInPlace,
  type LoadedMigration,
  type MigrationPort,
  type MigrationRun,
  migrationFailed,
  unexpectedState
} from 'svc-orm/driver'
import type { DocumentConnection } from '../connection/document-connection.ts'
import { isUnreachable } from '../connection/storage-failure.ts'
import { DocumentLosses } from './document-losses.ts'
import { DocumentMigration, UncountedWork } from './document-migration.ts'
import { LEASE, MigrationLease } from './migration-lease.ts'
import { MigrationProgress, type MigrationRecord, type MigrationRecords } from './migration-progress.ts'

const COLLECTION = 'svc_migration'
const WAITS = 'waiting: another instance is migrating'

export interface DocumentMigrationsParts {
  readonly connection: DocumentConnection
  /** What keeps the documents of an entity. */
  readonly collectionOf: (entity: string) => string
}

interface Carried {
  readonly records: MigrationRecords
  /** `null`: nothing is done. */
  readonly lease: MigrationLease | null
  readonly run: MigrationRun
  readonly losses: DocumentLosses | null
}

export class DocumentMigrations implements MigrationPort {
  readonly #parts: DocumentMigrationsParts

  constructor(parts: DocumentMigrationsParts) {
    this.#parts = parts
  }

  executed(): Promise<readonly ExecutedMigration[]> {
    return this.#connected(async (records) => (await ranOn(records)).map(executedOf))
  }

  count(entity: string, column: string): Promise<number> {
    const { connection, collectionOf } = this.#parts
    return this.#connected(() =>
      connection.db.collection(collectionOf(entity)).countDocuments({ [column]: { $ne: null } })
    )
  }

  run(run: MigrationRun): Promise<readonly string[]> {
    return this.#connected(async (records) => {
      if (run.preview !== undefined) return this.#carry(records, null, run)
      const lease = new MigrationLease(records, this.#parts.connection.clock)
      await lease.acquire(() => run.at?.(WAITS))
      try {
        return await this.#carry(records, lease, run)
      } finally {
        await lease.release()
      }
    })
  }

  async #carry(records: MigrationRecords, lease: MigrationLease | null, run: MigrationRun): Promise<readonly string[]> {
    const ran = await ranOn(records)
    run.check(ran.map(executedOf))
    const half = ran.find(({ direction }) => direction !== undefined && direction !== run.direction)
    if (half !== undefined) {
      const command = half.direction === 'up' ? 'npx svc orm:migrate' : 'npx svc orm:rollback'
      throw unexpectedState(`${half._id} was interrupted on its way ${half.direction}: run ${command} first`)
    }
    const { direction, losing } = run
    const { connection, collectionOf } = this.#parts
    const counts = direction === 'down' && losing !== undefined && lease === null
    const losses = counts ? new DocumentLosses(connection.db, collectionOf, losing) : null
    const names: string[] = []
    for (const migration of chosen(ran, run)) {
      const record = ran.find(({ _id }) => _id === migration.name)
      await this.#one({ records, lease, run, losses }, migration, record)
      names.push(migration.name)
    }
    return names
  }

  async #one(
    { records, lease, run, losses }: Carried,
    { name, checksum, up, down }: LoadedMigration,
    record: MigrationRecord | undefined
  ): Promise<void> {
    const { direction, preview, progress: tell = () => undefined } = run
    const { db } = this.#parts.connection
    const now = new Date(this.#parts.connection.clock.now())
    const isPreview = lease === null
    if (!isPreview) {
      const begun = { $set: { direction, checksum }, $setOnInsert: { at: now } }
      await records.updateOne({ _id: name }, begun, { upsert: true })
    }
    const own = record?.direction === direction ? record : { _id: name }
    const context = new DocumentMigration({
      db,
      collectionOf: this.#parts.collectionOf,
      found: new FoundInPlace(direction === 'down' ? record?.found : []),
      losses,
      reached: (step) => run.at?.(`${name}: ${step}`),
      lease: lease ?? new MigrationLease(records, this.#parts.connection.clock),
      progress: isPreview ? null : new MigrationProgress(records, own),
      show: preview ?? tell
    })
    try {
      await (direction === 'up' ? up(context) : down?.(context))
    } catch (error) {
      if (!(error instanceof UncountedWork)) throw failure(name, context.at, error)
    }
    if (context.isOwn) losses?.uncounted(name)
    if (isPreview) return
    if (direction === 'down') await records.deleteOne({ _id: name })
    else await records.updateOne({ _id: name }, { $set: { at: now }, $unset: { direction: '', done: '', place: '' } })
  }

  async #connected<T>(work: (records: MigrationRecords) => Promise<T>): Promise<T> {
    const { connection } = this.#parts
    try {
      await connection.client.connect()
      return await work(connection.db.collection(COLLECTION) as unknown as MigrationRecords)
    } catch (error) {
      throw connection.failure(error)
    }
  }
}

async function ranOn(records: MigrationRecords): Promise<readonly MigrationRecord[]> {
  const found = await records
    .find({ _id: { $ne: LEASE } })
    .sort({ at: 1, _id: 1 })
    .toArray()
  return found as unknown as readonly MigrationRecord[]
}

function executedOf({ _id, checksum, at, direction }: MigrationRecord): ExecutedMigration {
  return { name: _id, checksum, executedAt: at, ...(direction !== undefined && { unfinished: true }) }
}

function chosen(ran: readonly MigrationRecord[], run: MigrationRun): readonly LoadedMigration[] {
  const { migrations, direction, steps } = run
  if (direction === 'up') {
    const isOver = ({ name }: LoadedMigration) =>
      ran.some(({ _id, direction: way }) => _id === name && way === undefined)
    return migrations.filter((each) => !isOver(each)).slice(0, steps)
  }
  return ran
    .slice(-steps)
    .reverse()
    .flatMap(({ _id }) => migrations.find(({ name }) => name === _id) ?? [])
}

/** The words of the server may hold values: its name of what happened does not. */
function failure(name: string, at: string, error: unknown): unknown {
  if (error instanceof BootError) {
    const place = `${name}, ${at}`
    return new BootError(
      error.problems.map((problem) => ({ at: place, ...problem })),
      { cause: error }
    )
  }
  if (isUnreachable(error)) return error
  const server = error instanceof mongoose.mongo.MongoServerError
  const reason = server ? `${error.codeName ?? 'the server refused it'}` : String((error as Error).message)
  const kept = 'the steps before it are kept, and the next run continues there'
  return migrationFailed(name, `${at}: ${reason}`, kept, server ? undefined : error)
}
