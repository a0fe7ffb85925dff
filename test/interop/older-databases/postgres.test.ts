/** A PostgreSQL database of an older version opens, and works, as it is. */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import svcSqlorm from 'svc-sqlorm'
import t, { type Test } from 'tap'
import { PostgresServer, postgresPrograms } from '../../support/postgres-server.ts'
import { firstMigrations } from './first-migration.ts'
import { opensUnchanged } from './opens-unchanged.ts'
import { VERSIONS, type Version, vectorFile } from './vectors.ts'

const SCHEMA = [
  `select table_name, ordinal_position, column_name, data_type, collation_name, is_nullable, column_default
     from information_schema.columns where table_schema = 'public' order by 1, 2`,
  `select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) as text
     from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
  `select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`
]

async function onPostgres(t: Test, programs: string): Promise<void> {
  const server = await PostgresServer.start(programs)
  t.teardown(async () => {
    await server.kill()
    server.remove()
  })
  const newDatabase = async (name: string) => {
    await server.administer(`create database ${name}`)
    return server.url(name)
  }
  const queried = async (url: string, ...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const rows: unknown[] = []
    for (const statement of statements) rows.push((await client.query(statement)).rows)
    await client.end()
    return rows
  }
  const olderDatabase = async (name: string, version: Version) => {
    const url = await newDatabase(name)
    await queried(url, readFileSync(vectorFile(version, 'postgres.sql'), 'utf8'))
    return url
  }
  for (const version of VERSIONS) {
    await t.test(version, async (t) => {
      const url = await olderDatabase(`of_${version.replaceAll('.', '_')}`, version)
      await opensUnchanged(t, {
        version,
        driver: 'sqlorm',
        records: 'postgres',
        module: (clock) => [svcSqlorm, { connectors: { default: { url } }, parts: { clock } }],
        schema: () => queried(url, ...SCHEMA)
      })
    })
  }
  let made = 0
  const connected = (url: string) => [svcSqlorm, { connectors: { default: { url } } }] as const
  const nextName = () => {
    made += 1
    return `shop${made}`
  }
  await t.test('its first migration', async (t) => {
    firstMigrations(t, {
      database: async () => connected(await olderDatabase(nextName(), '0.1.0')),
      empty: async () => connected(await newDatabase(nextName()))
    })
  })
}

const programs = postgresPrograms()
if (programs === null) {
  const reason = 'SKIPPED: no PostgreSQL server is installed; no older database was opened on it'
  process.stderr.write(`\n  ${reason}\n\n`)
  await t.test('an older PostgreSQL database', async (t) => t.plan(0, reason))
} else await t.test('an older PostgreSQL database', async (t) => onPostgres(t, programs))
