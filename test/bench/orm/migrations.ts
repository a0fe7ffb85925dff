/**
 * What migrations cost: the difference of 200 entities, and 200 tables made in an empty database by their migration,
 * beside the same statements by hand, with Kysely in one transaction; from the opening of a connection to its end, as a
 * command works. The fastest round counts; prints a Markdown table.
 *
 *   npm run bench -- migrations                                SQLite, 25 rounds
 *   npm run bench -- migrations 25 postgres://user@host/empty  and PostgreSQL, on an empty database
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify, { type FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import svcOrm, { type EntityDefinition } from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'

const [given = '25', postgres] = process.argv.slice(2)
const rounds = Number(given)
const ENTITIES = 200

/** Below the packages: what a migration imports is found. */
const folder = mkdtempSync(fileURLToPath(new URL('./migrations-', import.meta.url)))
const dir = join(folder, 'migrations')

const entities = Array.from(
  { length: ENTITIES },
  (_, n): EntityDefinition => ({
    name: `Entity${n}`,
    schema: {
      title: { type: 'string' },
      slug: { type: 'string', unique: true },
      body: { type: 'text', nullable: true },
      stars: { type: 'integer', default: 0 },
      weight: { type: 'float', nullable: true },
      live: { type: 'boolean', default: true },
      at: { type: 'date', nullable: true },
      tags: { type: 'string', array: true, nullable: true }
    },
    indexes: [{ fields: ['stars', 'at'] }]
  })
)

/** A new, empty database for each measurement. */
type NewDatabase = (name: string) => Promise<string>

const onSqlite: NewDatabase = async (name) => `sqlite:${join(folder, `${name}.db`)}`

try {
  process.stdout.write(`\nNode ${process.versions.node}, ${ENTITIES} entities, ${rounds} rounds\n\n`)
  process.stdout.write('| case | svc, ms | by hand, ms | ratio | budget |\n|---|---:|---:|---:|---:|\n')
  await measureDiff()
  await measureMigrate('SQLite', onSqlite)
  if (postgres !== undefined) await measureMigrate('PostgreSQL', await onPostgres(postgres))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measureDiff(): Promise<void> {
  const { orm, close } = await application(await onSqlite('diff'))
  const times = []
  for (let round = 0; round < rounds; round += 1) {
    times.push(await timed(() => orm.migrations.diff('all', { dryRun: true })))
  }
  await orm.migrations.diff('all')
  await close()
  const changed = entities.map((entity) => ({
    ...entity,
    schema: { ...entity.schema, more: { type: 'string', nullable: true } as const }
  }))
  const later = await application(await onSqlite('diff'), changed)
  for (let round = 0; round < rounds; round += 1) {
    times.push(await timed(() => later.orm.migrations.diff('more', { dryRun: true })))
  }
  await later.close()
  process.stdout.write(`| diff | ${Math.max(...times).toFixed(0)} (the slowest) | | | < 1000 |\n`)
}

async function measureMigrate(engine: string, newDatabase: NewDatabase): Promise<void> {
  const ours: number[] = []
  const byHand: number[] = []
  const statements: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const migrate = async () => {
      const { orm, close } = await application(await newDatabase(`svc${round}`))
      if (round === 0) await orm.migrations.migrate({ preview: (statement) => void statements.push(statement) })
      ours.push(await timed(() => orm.migrations.migrate().then(close)))
    }
    const execute = async () => {
      const { fastify, close } = await application(await newDatabase(`hand${round}`))
      byHand.push(await timed(() => executeByHand(fastify.sqlorm.kysely(), statements).then(close)))
    }
    for (const measure of round % 2 === 0 ? [migrate, execute] : [execute, migrate]) await measure()
  }
  // The fastest of each: what is slower was slowed down by something else.
  const [best, bestByHand] = [Math.min(...ours), Math.min(...byHand)]
  const cells = [`migrate, ${engine}`, best.toFixed(0), bestByHand.toFixed(0), (best / bestByHand).toFixed(2), '<= 1.3']
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}

/** As one would write it: Kysely on the same kind of connection, in one transaction. */
async function executeByHand(db: Pick<Kysely<unknown>, 'transaction'>, statements: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })
}

async function application(url: string, given: readonly EntityDefinition[] = entities) {
  const fastify = Fastify() as FastifyInstance
  const importModule = async () => ({})
  // As the commands boot it: no database is opened.
  fastify.decorate('appHost', {
    name: 'bench',
    root: folder,
    mode: 'development',
    checkOnly: true,
    migrating: true,
    importModule
  })
  await fastify.register(svcOrm, { migrations: { dir }, parts: { entities: given } })
  await fastify.register(svcSqlorm, { connectors: { default: { url } } })
  await fastify.ready()
  return { fastify, orm: fastify.orm, close: () => fastify.close() }
}

async function onPostgres(url: string): Promise<NewDatabase> {
  const { default: pg } = await import('pg')
  return async () => {
    const client = new pg.Client(url)
    await client.connect()
    await client.query('drop schema public cascade; create schema public')
    await client.end()
    return url
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
