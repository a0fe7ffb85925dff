/** A connector on a database, open and with its tables, without an application around it. */
import { resolve } from 'node:path'
import Fastify from 'fastify'
import { systemClock } from 'svc-kernel'
import { type CompiledEntity, FlowStatistics } from 'svc-orm'
import { createConnection } from '../../src/connection/create-connection.ts'
import type { LiveConnection } from '../../src/connection/live-connection.ts'
import { SqlConnector } from '../../src/connector/sql-connector.ts'
import { SqlDatabase } from '../../src/sql-database.ts'

export interface OpenConnector {
  readonly connector: SqlConnector
  readonly connection: LiveConnection
  close(): Promise<void>
}

export async function openConnector(url: string, entities: readonly CompiledEntity[]): Promise<OpenConnector> {
  const { connection, database } = unopenedDatabase(url)
  const flow = new FlowStatistics({ enabled: true, slowMs: 100 })
  const connector = new SqlConnector({ database, clock: systemClock, flow })
  connector.prepare(entities)
  await connection.open()
  return { connector, connection, close: () => connection.close() }
}

export function unopenedDatabase(url: string): { readonly connection: LiveConnection; readonly database: SqlDatabase } {
  const { log } = Fastify()
  const parts = { clock: systemClock, log, debug: false, application: 'test', dataPath: resolve }
  const { connection, target } = createConnection('default', { url }, parts)
  return { connection, database: new SqlDatabase({ connection, target, clock: systemClock }) }
}
