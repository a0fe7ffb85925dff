/** An application over an older database, configured as the one that wrote it. */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import svcAudit from 'svc-audit'
import type { ModuleEntry } from 'svc-host'
import svcOrm from 'svc-orm'
import type { ManualClock } from 'svc-stores/conformance'
import svcWebhooks from 'svc-webhooks'
import type { Test } from 'tap'
import { Browser, CHEAP } from '../../support/account-app.ts'
import { everyStore } from '../../support/every-store.ts'
import { rawExchange, rawRequest } from '../../support/raw-http.ts'
import { startApp } from '../../support/start-app.ts'
import { olderApplication, type Version } from './vectors.ts'

export const PAGE = 'https://shop.example'

type EveryStore = { [Name in keyof typeof everyStore]: ReturnType<(typeof everyStore)[Name]['open']> }

const WEEK_MS = 604_800_000

/** A database that an older version wrote, made for one test. */
export interface OlderDatabase {
  readonly version: Version
  /** As `store` names it. */
  readonly driver: 'sqlorm' | 'docdb'
  /** The records, by the name of their file. */
  readonly records: 'sqlite' | 'postgres' | 'documents'
  module(clock: ManualClock): ModuleEntry
  /** Every table or collection and every index, as the database itself describes them. */
  schema(): Promise<readonly unknown[]>
}

export type OlderApp = Awaited<ReturnType<typeof olderApp>>

export async function olderApp(t: Test, { version, driver, module }: OlderDatabase, clock: ManualClock) {
  const { encryptionKey, keySetJson, entities, webhooks: more } = olderApplication(version)
  const kept = { store: driver }
  const parts = { clock }
  const webhooks = { ...kept, encryptionKey, allowHttp: true, denyPrivateIps: false, parts, ...more }
  const started = await startApp(t, {
    mode: 'test',
    before: [[svcOrm, { parts: { entities, clock } }], module(clock), [svcAudit, { ...kept, retentionDays: 0, parts }]],
    security: {
      areas: {
        in: { pattern: '^/in', authenticators: ['session'] },
        api: { pattern: '^/api', authenticators: ['jwt', 'apikey'] }
      },
      passwords: CHEAP,
      session: { ...kept, absoluteTimeoutS: 0, idleTimeoutS: 0 },
      users: kept,
      jwt: { keySetJson },
      tokenStore: kept,
      idempotency: { ...kept, ttlMs: WEEK_MS },
      totp: { ...kept, encryptionKey },
      passkeys: { ...kept, rpId: 'shop.example', origins: [PAGE] },
      parts
    },
    modules: [[svcWebhooks, webhooks], routes]
  })
  return {
    ...started,
    encryptionKey,
    browser: () => new Browser(started.port),
    bearer: (method: string, path: string, token: string, more = {}) =>
      rawExchange(started.port, rawRequest(method, path, { authorization: `Bearer ${token}`, ...more })),
    store<Name extends keyof EveryStore>(brick: Name): EveryStore[Name] {
      const { store } = started.fastify.stores.select<object>(everyStore[brick], driver)
      if (store === null) throw new Error(`there is no ${brick} store`)
      return store as EveryStore[Name]
    }
  }
}

const routes = fp(async (fastify: FastifyInstance) => {
  fastify.get('/in/who', async ({ user }) => ({ who: user?.identifier }))
  fastify.get('/in/cart', async (request) => (await fastify.sessions.resume(request))?.content)
  fastify.get('/api/who', async ({ user }) => ({ who: user?.identifier }))
  fastify.post('/api/orders', { ...fastify.gates.idempotency }, async () => ({ order: 'another' }))
})
