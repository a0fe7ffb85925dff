/** A Fastify with svc-orm and svc-sqlorm on one database, closed with its test. */
import Fastify, { type FastifyInstance } from 'fastify'
import svcOrm, { type EntityDefinition } from 'svc-orm'
import type { DriftPolicy } from 'svc-orm/driver'
import type { Test } from 'tap'
import svcSqlorm, { type ConnectorOptions, type SvcSqlormParts } from '../../src/index.ts'
import { CapturedLog } from './captured-log.ts'

export interface SqlAppSetting extends Omit<ConnectorOptions, 'url'> {
  readonly entities?: readonly EntityDefinition[]
  readonly debug?: boolean
  readonly drift?: DriftPolicy
  readonly parts?: SvcSqlormParts
}

export interface SqlApp {
  readonly fastify: FastifyInstance
  readonly log: CapturedLog
}

/** Registered, not ready yet. */
export async function sqlApp(t: Test, url: string, setting: SqlAppSetting = {}): Promise<SqlApp> {
  const { entities = [], debug = false, drift = 'warn', parts = {}, ...connector } = setting
  const log = new CapturedLog()
  const fastify = Fastify({ logger: log.logger })
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { drift, parts: { entities } })
  await fastify.register(svcSqlorm, { connectors: { default: { url, ...connector } }, debug, parts })
  return { fastify, log }
}
