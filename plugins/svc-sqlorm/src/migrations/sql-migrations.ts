/**
 * The migrations of a SQL database, on Kysely's own `Migrator`: its table of what ran, its lock, and one transaction for
 * all of a run, so that a process that dies half way leaves nothing behind. Beside it the checksums of the files.
 */
import { type Kysely, type KyselyPlugin, sql, type Transaction } from 'kysely'
import { Migrator, NO_MIGRATIONS } from 'kysely/migration'
import { BootError } from 'svc-kernel'
import {
  type ExecutedMigration,
  type LoadedMigration,
  type MigrationPort,
  type MigrationRun,
  migrationFailed
} from 'svc-orm'
import type { IdForm } from 'svc-stores/table'
import type { LiveConnection } from '../connection/live-connection.ts'
import { messageOf, reasonOf } from '../connection/translate-error.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import { LiveTables } from './live-tables.ts'
import { SqlMigration } from './sql-migration.ts'

const RAN = 'svc_migration'
const LOCK = 'svc_migration_lock'
const FILES = 'svc_migration_file'

/** SQLite: each try waits as long as a statement may, `waitMs`; another instance may migrate meanwhile. */
const TRIES = 120

export class SqlMigrations implements MigrationPort {
  readonly #live: LiveConnection
  readonly #ids: IdForm

  constructor(live: LiveConnection, ids: IdForm) {
    this.#live = live
    this.#ids = ids
  }

  executed(): Promise<readonly ExecutedMigration[]> {
    return this.#opened((db) => this.#executed(db))
  }

  run(run: MigrationRun): Promise<readonly string[]> {
    return this.#opened(async (db) => {
      const { alteration } = this.#live.engine
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
    const migrator = new Migrator({
      db,
      migrationTableName: RAN,
      migrationLockTableName: LOCK,
      // Branches are merged in another order than they were begun.
      allowUnorderedMigrations: true,
      provider: {
        // Asked under the lock: what is checked is what stands.
        getMigrations: async () => {
          run.check(await this.#executed(db))
          return Object.fromEntries(run.migrations.map((each) => [each.name, this.#migration(each, run, live)]))
        }
      }
    })
    const { error, results = [] } =
      run.direction === 'up' ? await migrator.migrateToLatest() : await migrator.migrateTo(await this.#target(db, run))
    if (error !== undefined) throw error
    return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName)
  }

  /** The one that is to be the last after the way back. */
  async #target(db: Kysely<unknown>, { steps }: MigrationRun): Promise<string | typeof NO_MIGRATIONS> {
    const executed = await this.#executed(db)
    return executed.at(-steps - 1)?.name ?? NO_MIGRATIONS
  }

  #migration({ name, checksum, up, down }: LoadedMigration, run: MigrationRun, live: LiveTables) {
    const carry = (work: LoadedMigration['up'], note: (tx: Kysely<unknown>) => Promise<unknown>) => {
      return async (tx: Kysely<unknown>): Promise<void> => {
        const { engine } = this.#live
        const db = run.preview === undefined ? tx : tx.withPlugin(showing(tx, run.preview))
        const context = new SqlMigration({
          db,
          engine,
          live,
          ids: this.#ids,
          progress: run.progress ?? (() => undefined)
        })
        try {
          await work(context)
          await engine.alteration.check(tx)
        } catch (error) {
          throw this.#failure(name, context.at, error)
        }
        await note(tx)
      }
    }
    const files = sql.table(FILES)
    return {
      up: carry(up, (tx) => sql`insert into ${files} (name, checksum) values (${name}, ${checksum})`.execute(tx)),
      ...(down !== null && { down: carry(down, (tx) => sql`delete from ${files} where name = ${name}`.execute(tx)) })
    }
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

  async #executed(db: Kysely<unknown>): Promise<readonly ExecutedMigration[]> {
    const { alteration } = this.#live.engine
    if (!(await alteration.hasTable(db, RAN)) || !(await alteration.hasTable(db, FILES))) return []
    const { rows } = await sql<{
      name: string
      timestamp: string
      checksum: string | null
    }>`select ran.name as "name", ran.timestamp as "timestamp", files.checksum as "checksum"
      from ${sql.table(RAN)} as ran left join ${sql.table(FILES)} as files on files.name = ran.name
      order by ran.timestamp, ran.name`.execute(db)
    return rows.map(({ name, timestamp, checksum }) => ({
      name,
      checksum: checksum ?? '',
      executedAt: new Date(timestamp)
    }))
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

/** Two instances may make it at once: on PostgreSQL one of them then fails, with the table there. */
async function makeFiles(db: Kysely<unknown>, { alteration }: SqlEngine): Promise<void> {
  if (await alteration.hasTable(db, FILES)) return
  try {
    const columns = sql`name varchar(255) not null primary key, checksum varchar(64) not null`
    await sql`create table if not exists ${sql.table(FILES)} (${columns})`.execute(db)
  } catch (error) {
    if (db.isTransaction || !(await alteration.hasTable(db, FILES))) throw error
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
