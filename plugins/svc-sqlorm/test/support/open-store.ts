/** A store on a database of its own connection, open and with its tables, without an application around it. */
import Fastify from 'fastify'
import { type Clock, systemClock } from 'svc-kernel'
import type { Brick, StoreOf } from 'svc-stores'
import { createDatabase } from '../../src/connection/create-database.ts'
import type { SqlDatabase } from '../../src/connection/sql-database.ts'
import { sqlStores } from '../../src/stores/provide-stores.ts'

export interface OpenStore<Name extends Brick> {
  readonly store: StoreOf[Name]
  readonly database: SqlDatabase
}

export async function openStore<Name extends Brick>(url: string, brick: Name, clock: Clock): Promise<OpenStore<Name>> {
  const parts = { clock: systemClock, log: Fastify().log, debug: false, application: 'test' }
  const { database } = createDatabase('default', { url }, parts)
  const store = sqlStores[brick](database, clock)
  await database.open()
  return { store, database }
}
