/** An application's entities on every database: the modules that bring svc-orm and a connector, empty for each test. */
import svcDocdb from 'svc-docdb'
import type { ModuleEntry } from 'svc-host'
import svcOrm, { type EntityDefinition } from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import type { Test } from 'tap'
import { documentDatabase } from './document-database.ts'
import { PostgresServer, postgresPrograms } from './postgres-server.ts'

type Open = (t: Test, entities: readonly EntityDefinition[]) => Promise<readonly ModuleEntry[]>

const sql = (url: string, entities: readonly EntityDefinition[]): readonly ModuleEntry[] => [
  [svcOrm, { parts: { entities } }],
  [svcSqlorm, { connectors: { default: { url } } }]
]

const engines: Readonly<Record<string, Open>> = {
  memory: async (_t, entities) => [[svcOrm, { memory: true, parts: { entities } }]],
  SQLite: async (_t, entities) => sql('sqlite::memory:', entities),
  PostgreSQL: async (t, entities) => {
    const server = await PostgresServer.start(postgresPrograms() ?? '')
    t.teardown(async () => {
      await server.kill()
      server.remove()
    })
    return sql(server.url('postgres'), entities)
  },
  documents: async (t, entities) => [
    [svcOrm, { parts: { entities } }],
    [svcDocdb, { connectors: { svc: { uri: await documentDatabase(t) } } }]
  ]
}

/** Runs a test on each of them; PostgreSQL is skipped where it is not installed. */
export async function onEveryDatabase(
  t: Test,
  entities: readonly EntityDefinition[],
  work: (t: Test, database: readonly ModuleEntry[]) => Promise<void>
): Promise<void> {
  for (const [name, open] of Object.entries(engines)) {
    const skip = name === 'PostgreSQL' && postgresPrograms() === null ? 'PostgreSQL is not installed' : false
    await t.test(name, { skip }, async (t) => work(t, await open(t, entities)))
  }
}
