/**
 * The migrations of a SQL database, on Kysely's own `Migrator`: its table of what ran, its lock, and one transaction for
 * all of a run, so that a process that dies half way leaves nothing behind. Beside it the checksums of the files.
 */
import type { Kysely, KyselyPlugin, Transaction } from 'kysely'
import { Migrator, NO_MIGRATIONS } from 'kysely/migration'
import { BootError } from 'svc-kernel'
import {
  type ExecutedMigration,
  FoundInPlace,
  type LoadedMigration,
  type MigrationPort,
  type MigrationRun,
  migrationFailed,
  snakeCase
} from 'svc-orm/driver'
import type { IdForm } from 'svc-stores/table'
import type { LiveConnection } from '../connection/live-connection.ts'
import { messageOf, reasonOf } from '../connection/translate-error.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import { LiveTables } from './live-tables.ts'
import { executedOn, forget, foundBy, makeFiles, note, RAN } from './migration-records.ts'
import { countRows } from './row-data.ts'
import { SqlMigration } from './sql-migration.ts'

const LOCK = 'svc_migration_lock'

/** SQLite: each try waits as long as a statement may, `waitMs`; another instance may migrate meanwhile. */
const TRIES = 120

/** Until the lock is held. */
const WAITS = 'waiting: another instance is migrating'

/** What a run learns of each of its migrations. */
interface MigrationEnds {
  readonly failed: (error: unknown) => void
  /** Its work is done, and its transaction is open. */
  readonly ended: (name: string, tx: Kysely<unknown>) => Promise<void>
}

export class SqlMigrations implements MigrationPort {
  readonly #live: LiveConnection
  readonly #ids: IdForm

  constructor(live: LiveConnection, ids: IdForm) {
    this.#live = live
    this.#ids = ids
  }

  executed(): Promise<readonly ExecutedMigration[]> {
    return this.#opened((db) => executedOn(db, this.#live.engine))
  }

  count(entity: string, column: string): Promise<number> {
    return this.#opened((db) => this.#live.fence.lifted(db, (all) => countRows(all, snakeCase(entity), column)))
  }

  run(run: MigrationRun): Promise<readonly string[]> {
    return this.#opened(async (db) => {
      const { alteration } = this.#live.engine
      run.at?.(WAITS)
      await this.#retried(() => alteration.begin(db))
      try {
        return await (run.preview === undefined ? this.#retried(() => this.#kept(db, run)) : this.#undone(db, run))
      } finally {
        await alteration.end(db)
      }
    })
  }

  /** Where transactions run one by one, the transaction is the lock; else the `Migrator` takes one around its own. */
  async #kept(db: Kysely<unknown>, run: MigrationRun): Promise<readonly string[]> {
    const work = async (within: Kysely<unknown>) => {
      await makeFiles(within, this.#live.engine)
      return this.#migrate(within, run)
    }
    return this.#live.engine.hasIsolation ? work(db) : db.transaction().execute(work)
  }

  /** All of it, in a transaction that ends with nothing kept. */
  async #undone(db: Kysely<unknown>, run: MigrationRun): Promise<readonly string[]> {
    let names: readonly string[] = []
    const nothing = new Error('nothing is kept')
    const work = async (tx: Transaction<unknown>) => {
      await makeFiles(tx, this.#live.engine)
      names = await this.#migrate(tx, run)
      throw nothing
    }
    await db
      .transaction()
      .execute(work)
      .catch((error: unknown) => {
        if (error !== nothing) throw error
      })
    return names
  }

  async #migrate(db: Kysely<unknown>, run: MigrationRun): Promise<readonly string[]> {
    const live = new LiveTables(this.#live.engine)
    // What the `Migrator` throws may be that its lock is not released in a transaction that has failed.
    let failure: unknown
    const failed = (error: unknown) => {
      failure = error
    }
    const migrator = new Migrator({
      db,
      migrationTableName: RAN,
      migrationLockTableName: LOCK,
      // Branches are merged in another order than they were begun.
      allowUnorderedMigrations: true,
      provider: {
        // Asked under the lock: what is checked is what exists.
        getMigrations: async () => {
          const executed = await executedOn(db, this.#live.engine)
          run.check(executed)
          run.at?.('has the lock')
          const pending = new Set(run.migrations.map(({ name }) => name))
          for (const { name } of executed) pending.delete(name)
          const ended = async (name: string, tx: Kysely<unknown>) => {
            pending.delete(name)
            if (run.direction === 'up' && pending.size === 0) await this.#live.fence.complete(tx)
          }
          return Object.fromEntries(
            run.migrations.map((each) => [each.name, this.#migration(each, run, live, { failed, ended })])
          )
        }
      }
    })
    const { error, results = [] } =
      run.direction === 'up' ? await migrator.migrateToLatest() : await migrator.migrateTo(await this.#target(db, run))
    if (error !== undefined) throw failure ?? error
    return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName)
  }

  /** The one that is to be the last after the way back. */
  async #target(db: Kysely<unknown>, { steps }: MigrationRun): Promise<string | typeof NO_MIGRATIONS> {
    const executed = await executedOn(db, this.#live.engine)
    return executed.at(-steps - 1)?.name ?? NO_MIGRATIONS
  }

  #migration(
    { name, checksum, up, down }: LoadedMigration,
    run: MigrationRun,
    live: LiveTables,
    { failed, ended }: MigrationEnds
  ) {
    const { engine, fence } = this.#live
    const { preview, progress = () => undefined, at, losing = null } = run
    const carry = (work: LoadedMigration['up'], isBack: boolean) => {
      return async (tx: Kysely<unknown>): Promise<void> => {
        await fence.lift(tx, engine)
        const db = preview === undefined ? tx : tx.withPlugin(showing(tx, preview))
        const found = new FoundInPlace(isBack ? await foundBy(tx, engine, name) : [])
        const counted = isBack ? losing : null
        const reached = (step: string) => at?.(`${name}: ${step}`)
        const context = new SqlMigration({
          db,
          engine,
          fence,
          live,
          ids: this.#ids,
          found,
          progress,
          reached,
          losing: counted
        })
        try {
          await work(context)
          await engine.alteration.check(tx)
          await ended(name, db)
        } catch (error) {
          const failure = this.#failure(name, context.at, error)
          failed(failure)
          throw failure
        }
        if (context.isNative) counted?.({ entity: name, column: null, rows: null })
        await (isBack ? forget(tx, engine, name) : note(tx, name, checksum, found.noted))
      }
    }
    return { up: carry(up, false), ...(down !== null && { down: carry(down, true) }) }
  }

  #failure(name: string, at: string, error: unknown): unknown {
    const kind = this.#live.engine.failure(error)?.kind
    if (kind === 'unavailable' || kind === 'busy') return error
    if (!(error instanceof BootError)) {
      return migrationFailed(
        name,
        `${at}: ${reasonFor(this.#live.engine, error)}`,
        'nothing of this run was kept',
        error
      )
    }
    const at_ = `${name}, ${at}`
    return new BootError(
      error.problems.map((problem) => ({ at: at_, ...problem })),
      { cause: error }
    )
  }

  async #opened<T>(work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
    const { db, close } = this.#live.beside()
    try {
      return await work(db)
    } catch (error) {
      throw this.#live.translated(error)
    } finally {
      await close()
    }
  }

  async #retried<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work()
      } catch (error) {
        if (tries === TRIES || this.#live.engine.failure(error)?.kind !== 'busy') throw error
      }
    }
  }
}

/** Hands over the text of each statement that changes something, as it runs; one that comes again, once. */
function showing(db: Kysely<unknown>, show: (statement: string) => void): KyselyPlugin {
  const compiler = db.withoutPlugins().getExecutor()
  let last = ''
  return {
    transformQuery({ node, queryId }) {
      const text = compiler.compileQuery(node, queryId).sql.replaceAll(/\s+/g, ' ').trim()
      if (text !== last && !/^select\b/.test(text)) show(`${text};`)
      last = text
      return node
    },
    transformResult: async ({ result }) => result
  }
}

/** Without values of rows, which an engine's own words may name. */
function reasonFor(engine: SqlEngine, error: unknown): string {
  const failure = engine.failure(error)
  return failure === null ? messageOf(error) : reasonOf(failure, error)
}
