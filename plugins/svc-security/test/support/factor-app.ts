/**
 * An application for factor routes: sessions of a table, by the header `x-session`;
 * a login that completes answers with who, and with how as the role.
 */
import Fastify, { type FastifyInstance } from 'fastify'
import { type AuditRecord, ensureKernel } from 'svc-kernel'
import type { JsonObject } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import type { FactorHost } from '../../src/login/factor-host.ts'
import { MemoryCounter } from '../../src/throttling/attempt-counter.ts'
import { LoginThrottler } from '../../src/throttling/login-throttler.ts'
import { ProvidedUsers } from '../../src/users/user-source.ts'
import { Accounts } from './accounts.ts'

export interface FactorApp {
  readonly app: FastifyInstance
  readonly host: FactorHost
  readonly clock: ManualClock
  readonly accounts: Accounts
  readonly sessions: Map<string, { user: string | null; content: JsonObject }>
  readonly audited: AuditRecord[]
  readonly withSecondFactor: Set<string>
}

export async function factorApp(): Promise<FactorApp> {
  const app = Fastify()
  await ensureKernel(app)
  const clock = new ManualClock()
  const accounts = new Accounts()
    .add({ identifier: 'alice', roles: ['ROLE_USER'] })
    .add({ identifier: 'bob', roles: ['ROLE_USER'], locked: true })
  const sessions: FactorApp['sessions'] = new Map()
  const audited: AuditRecord[] = []
  const withSecondFactor = new Set<string>()
  const counter = new MemoryCounter(clock)
  const backoff = { freeAttempts: 3, baseDelayS: 1, capDelayS: 900 }
  const host: FactorHost = {
    sessions: {
      resume: async ({ headers }) => {
        const session = sessions.get(String(headers['x-session']))
        return session === undefined ? null : { ...session, meta: {} }
      },
      confirm: async () => true
    },
    isStillOpen: async () => true,
    proof: (_request, _reply, payload, done) => done(null, payload),
    enrolment: (_request, _reply, payload, done) => done(null, payload),
    users: new ProvidedUsers(accounts, null as never),
    throttler: new LoginThrottler(backoff, { counter, clock }),
    journal: { done: (event) => audited.push(event) },
    clock,
    csrf: (_request, _reply, payload, done) => done(null, payload),
    page: (_request, _reply, done) => done(),
    login: {
      requiredFactors: async (identifier) => (withSecondFactor.has(identifier) ? ['totp'] : []),
      askSecondFactor: async (_request, _reply, { identifier }) => (withSecondFactor.has(identifier) ? ['totp'] : []),
      checkProvider: async () => undefined,
      complete: async (_request, _reply, { identifier }, reason) => ({ user: { identifier, roles: [reason] } }) as never
    }
  }
  sessions.set('alice', { user: 'alice', content: {} })
  sessions.set('bob', { user: 'bob', content: {} })
  return { app, host, clock, accounts, sessions, audited, withSecondFactor }
}

/** The session in which a password held and a second factor is due. */
export function pendingSession(identifier: string, since: number, methods = ['totp']) {
  return { user: null, content: { pending: { identifier, methods, since } } }
}
