/** The databases that svc keeps data in, one of each kind, empty for each test: as modules, and as what registers their driver. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import svcDocdb from 'svc-docdb'
import svcSqlorm from 'svc-sqlorm'
import type { Test } from 'tap'
import { documentDatabase } from './document-database.ts'
import { PostgresServer, postgresPrograms } from './postgres-server.ts'

export type DriverModule = readonly [plugin: FastifyPluginAsync<object>, options: object]

/** Registers the driver of a database; again on another application, it is the same database. */
export type Register = (fastify: FastifyInstance) => Promise<unknown>

const sql = (url: string): DriverModule => [svcSqlorm as never, { connectors: { default: { url } } }]

export const engines: Readonly<Record<string, (t: Test) => Promise<DriverModule>>> = {
  SQLite: async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-engine-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    return sql(`sqlite:${folder}/app.db`)
  },
  PostgreSQL: async (t) => {
    const server = await PostgresServer.start(postgresPrograms() ?? '')
    t.teardown(async () => {
      await server.kill()
      server.remove()
    })
    return sql(server.url('postgres'))
  },
  documents: async (t) => [svcDocdb as never, { connectors: { svc: { uri: await documentDatabase(t) } } }]
}

/** Why a test does not run on an engine; `false`: it does. */
export function skipReason(engine: string): string | false {
  return engine === 'PostgreSQL' && postgresPrograms() === null ? 'PostgreSQL is not installed' : false
}

/** Runs a test on SQLite, PostgreSQL and documents; PostgreSQL is skipped where it is not installed. */
export async function onEveryEngine(t: Test, work: (t: Test, register: Register) => Promise<void>): Promise<void> {
  for (const [name, start] of Object.entries(engines)) {
    await t.test(name, { skip: skipReason(name) }, async (t) => {
      const [plugin, options] = await start(t)
      await work(t, async (fastify) => fastify.register(plugin, options))
    })
  }
}
