/** A connector on a database, open and with its tables, without an application around it. */
import { resolve } from 'node:path'
import Fastify from 'fastify'
import { systemClock } from 'svc-kernel'
import { type CompiledEntity, FlowStatistics } from 'svc-orm'
import { createDatabase } from '../../src/connection/create-database.ts'
import type { SqlDatabase } from '../../src/connection/sql-database.ts'
import { SqlConnector } from '../../src/connector/sql-connector.ts'

export interface OpenConnector {
  readonly connector: SqlConnector
  readonly database: SqlDatabase
  close(): Promise<void>
}

export async function openConnector(url: string, entities: readonly CompiledEntity[]): Promise<OpenConnector> {
  const { log } = Fastify()
  const parts = { clock: systemClock, log, debug: false, application: 'test', dataPath: resolve }
  const { database, target } = createDatabase('default', { url }, parts)
  const flow = new FlowStatistics({ enabled: true, slowMs: 100 })
  const connector = new SqlConnector({ database, target, clock: systemClock, flow })
  connector.prepare(entities)
  await database.open()
  return { connector, database, close: () => database.close() }
}
