/** Entities on a database, open and with its tables, without an application around it. */
import { resolve } from 'node:path'
import Fastify from 'fastify'
import { systemClock } from 'svc-kernel'
import { type CompiledEntity, EntityRepositories } from 'svc-orm/driver'
import { createConnection } from '../../src/connection/create-connection.ts'
import type { LiveConnection } from '../../src/connection/live-connection.ts'
import type { ConnectorOptions } from '../../src/options.ts'
import { SqlDatabase } from '../../src/sql-database.ts'

export interface OpenConnector {
  readonly repositories: EntityRepositories
  readonly connection: LiveConnection
  close(): Promise<void>
}

export async function openConnector(
  url: string,
  entities: readonly CompiledEntity[],
  options: Partial<ConnectorOptions> = {}
): Promise<OpenConnector> {
  const { connection, database } = unopenedDatabase(url, options)
  const repositories = new EntityRepositories({ database, entities })
  await connection.open()
  return { repositories, connection, close: () => connection.close() }
}

export function unopenedDatabase(
  url: string,
  options: Partial<ConnectorOptions> = {}
): { readonly connection: LiveConnection; readonly database: SqlDatabase } {
  const { log } = Fastify()
  const parts = {
    clock: systemClock,
    log,
    bootWarnings: [],
    debug: false,
    drift: 'warn' as const,
    application: 'test',
    dataPath: resolve
  }
  const { connection, target } = createConnection('default', { url, ...options }, parts)
  return { connection, database: new SqlDatabase({ connection, target, clock: systemClock }) }
}
