/** An application with accounts, a clock that stands still, an audit in a list, and a browser's way of calling it. */
import type { FastifyInstance, FastifyServerOptions, InjectOptions } from 'fastify'
import type { AuditRecord } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import type { SvcSecurityOptions, SvcSecurityParts } from '../../src/index.ts'
import { type Accounts, ALICE_PASSWORD, CHEAP, someAccounts } from './accounts.ts'
import { auditing } from './auditing.ts'
import { securedApp } from './guarded-app.ts'

export interface LoginApp {
  readonly app: FastifyInstance
  readonly accounts: Accounts
  readonly clock: ManualClock
  readonly records: AuditRecord[]
}

export const API = '/svc/security/api'

/** One zone `^/in` for sessions, and cheap hashes, unless the options say otherwise. */
export async function loginApp(
  options: SvcSecurityOptions = {},
  parts: SvcSecurityParts = {},
  server: FastifyServerOptions = {}
): Promise<LoginApp> {
  const accounts = await someAccounts()
  const clock = parts.clock instanceof ManualClock ? parts.clock : new ManualClock()
  const records: AuditRecord[] = []
  const app = await securedApp(
    {
      areas: { in: { pattern: '^/in', authenticators: ['session'] } },
      passwords: CHEAP,
      ...options,
      parts: { users: accounts, ...parts, clock }
    },
    server
  )
  auditing(app, (event) => void records.push(event))
  return { app, accounts, clock, records }
}

/** Keeps cookies, and shows what was set. */
export class Browser {
  readonly #app: FastifyInstance
  readonly cookies = new Map<string, string>()

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  async call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, more: Partial<InjectOptions> = {}) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(cookie === '' ? {} : { cookie }), ...more.headers }
    const answer = await this.#app.inject({ method, url, ...more, headers })
    for (const { name, value } of answer.cookies) {
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  get session(): string | undefined {
    return this.cookies.get('svc_session')
  }

  login(username = 'alice', password = ALICE_PASSWORD, more: Partial<InjectOptions> = {}) {
    return this.call('POST', `${API}/auth/login`, { payload: { username, password }, ...more })
  }

  async csrfToken(): Promise<string> {
    const { csrfToken } = (await this.call('GET', `${API}/auth/me`)).json<{ csrfToken: string }>()
    return csrfToken
  }
}
