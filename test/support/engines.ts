/** The databases that svc keeps data in, one of each kind, empty for each test: as modules, and as what registers their driver. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import pg from 'pg'
import svcDocdb from 'svc-docdb'
import svcSqlorm from 'svc-sqlorm'
import type { Test } from 'tap'
import { documentDatabase, uriOf } from './document-database.ts'
import { PostgresServer, postgresPrograms } from './postgres-server.ts'

export type DriverModule = readonly [plugin: FastifyPluginAsync<object>, options: object]

/** Registers the driver of a database; again on another application, it is the same database. */
export type Register = (fastify: FastifyInstance) => Promise<unknown>

const sql = (url: string): DriverModule => [svcSqlorm as never, { connectors: { default: { url } } }]

/** Starts an engine. @returns what gives an empty database each time */
type StartEngine = (t: Test) => Promise<() => Promise<DriverModule>>

export const engines: Readonly<Record<string, StartEngine>> = {
  SQLite: async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-engine-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    let count = 0
    return async () => {
      count += 1
      return sql(`sqlite:${folder}/app${count}.db`)
    }
  },
  PostgreSQL: async (t) => {
    const server = await PostgresServer.start(postgresPrograms() ?? '')
    t.teardown(async () => {
      await server.kill()
      server.remove()
    })
    let count = 0
    return async () => {
      const client = new pg.Client(server.url('postgres'))
      await client.connect()
      count += 1
      await client.query(`create database app${count}`)
      await client.end()
      return sql(server.url(`app${count}`))
    }
  },
  documents: async (t) => {
    const uri = await documentDatabase(t)
    const name = new URL(uri).pathname.slice(1)
    let count = 0
    return async () => {
      count += 1
      return [svcDocdb as never, { connectors: { svc: { uri: uriOf(uri, `${name}_${count}`) } } }]
    }
  }
}

/** Why a test does not run on an engine; `false`: it does. */
export function skipReason(engine: string): string | false {
  return engine === 'PostgreSQL' && postgresPrograms() === null ? 'PostgreSQL is not installed' : false
}

export function registering([plugin, options]: DriverModule): Register {
  return async (fastify) => fastify.register(plugin, options)
}

/** Runs a test on SQLite, PostgreSQL and documents; PostgreSQL is skipped where it is not installed. */
export async function onEveryEngine(t: Test, work: (t: Test, register: Register) => Promise<void>): Promise<void> {
  for (const [name, start] of Object.entries(engines)) {
    const skip = skipReason(name)
    await t.test(name, { skip }, async (t) => {
      const empty = await start(t)
      await work(t, registering(await empty()))
    })
  }
}
