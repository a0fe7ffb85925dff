/** A store on a connection of its own, open and with its tables, without an application around it. */
import { resolve } from 'node:path'
import Fastify from 'fastify'
import { type Clock, systemClock } from 'svc-kernel'
import { createConnection } from '../../src/connection/create-connection.ts'
import type { LiveConnection } from '../../src/connection/live-connection.ts'
import type { ConnectorOptions } from '../../src/options.ts'
import { SqlDatabase } from '../../src/sql-database.ts'
import type { CapturedLog } from './captured-log.ts'
import { type Brick, everyStore, type StoreOf } from './every-store.ts'

export interface OpenStore<Name extends Brick> {
  readonly store: StoreOf[Name]
  readonly database: LiveConnection
}

/** @param log told of every statement */
export async function openStore<Name extends Brick>(
  url: string,
  brick: Name,
  clock: Clock,
  log?: CapturedLog
): Promise<OpenStore<Name>> {
  const made = unopenedStore(url, brick, clock, log)
  await made.database.open()
  return made
}

export function unopenedStore<Name extends Brick>(
  url: string,
  brick: Name,
  clock: Clock,
  log?: CapturedLog,
  settings: Omit<ConnectorOptions, 'url'> = {}
): OpenStore<Name> {
  const debug = log !== undefined
  const fastify = Fastify(debug ? { logger: log.logger } : {})
  const parts = {
    clock: systemClock,
    log: fastify.log,
    bootWarnings: [],
    debug,
    drift: 'warn' as const,
    application: 'test',
    dataPath: resolve
  }
  const { connection, target } = createConnection('default', { url, ...settings }, parts)
  const database = new SqlDatabase({ connection, target, clock: systemClock })
  return { store: everyStore[brick].open(database, { clock }) as StoreOf[Name], database: connection }
}
