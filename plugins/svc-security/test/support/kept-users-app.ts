/** An application that keeps its users, with every factor and kind of key, on a clock that stands still; browsers of its users. */
import type { FastifyInstance } from 'fastify'
import { TOTP } from 'otpauth'
import type { AuditRecord } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import type { SvcSecurityOptions, SvcSecurityParts } from '../../src/index.ts'
import { CHEAP } from './accounts.ts'
import { auditing } from './auditing.ts'
import { totp } from './enrolled.ts'
import { securedApp } from './guarded-app.ts'
import { API, Browser } from './login-app.ts'
import { keySetJson } from './token-app.ts'

export const PASSWORD = 'long enough'
export const ORIGIN = 'http://localhost'

export async function keptUsersApp(t: Test, options: SvcSecurityOptions = {}, parts: SvcSecurityParts = {}) {
  const clock = new ManualClock()
  const app = await securedApp({
    areas: { in: { pattern: '^/in', authenticators: ['session', 'userpassword', 'apikey', 'jwt'] } },
    roleHierarchy: { ROLE_CHIEF: ['ROLE_EDITOR'] },
    passwords: CHEAP,
    jwt: { keySetJson },
    totp,
    passkeys: { rpId: 'localhost', origins: [ORIGIN] },
    users: {},
    ...options,
    parts: { clock, ...parts }
  })
  t.teardown(() => app.close())
  const records: AuditRecord[] = []
  auditing(app, (event) => void records.push(event))
  app.get('/in', async ({ user }) => user)
  const make = (identifier: string, ...roles: string[]) =>
    app.userAccounts.create({ identifier, password: PASSWORD, roles })
  const ids = { root: await make('root', 'ROLE_SVC_ADMIN'), alice: await make('alice', 'ROLE_USER') }
  records.length = 0
  return { app, clock, records, ids, browserOf: (user: string) => SignedIn.as(app, user) }
}

/** A browser with the token of its session at hand. */
export class SignedIn extends Browser {
  #token = ''

  static async as(app: FastifyInstance, user: string, password = PASSWORD): Promise<SignedIn> {
    const browser = new SignedIn(app)
    await browser.login(user, password)
    browser.#token = await browser.csrfToken()
    return browser
  }

  /** Of the session. */
  get token(): string {
    return this.#token
  }

  /** Reads the token again, for a session under a new id. */
  async renew(): Promise<void> {
    this.#token = await this.csrfToken()
  }

  /** @param path behind the API's */
  async change(method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, more: Record<string, string> = {}) {
    const headers = { 'x-csrf-token': this.#token, ...more }
    return this.call(method, API + path, { headers, ...(payload === undefined ? {} : { payload }) })
  }

  /** @returns the secret of one-time codes that are asked for from now on */
  async enrolCodes(clock: ManualClock): Promise<string> {
    const { secret } = (await this.change('POST', '/totp/enroll')).json<{ secret: string }>()
    await this.change('POST', '/totp/confirm', { code: codeOf(secret, clock) })
    clock.advance(30_000)
    return secret
  }
}

export function codeOf(secret: string, clock: ManualClock): string {
  return new TOTP({ secret }).generate({ timestamp: clock.now() })
}
