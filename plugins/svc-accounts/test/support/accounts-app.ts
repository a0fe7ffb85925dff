/** An application with every flow on, mails in an outbox, jobs that run when a test says so, and a browser's way of calling it. */
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import svcAudit from 'svc-audit'
import type { AuditEvent } from 'svc-kernel'
import svcMail, { type MailTransport } from 'svc-mail'
import svcSecurity, { type PasswordCheck, type SvcSecurityOptions } from 'svc-security'
import { ensureStores } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import svcAccounts, { type DataPart, type SvcAccountsOptions, type SvcAccountsParts } from '../../src/index.ts'

export const LINK = 'https://shop.example.org/account'
export const ADA = 'ada@example.org'
export const PASSWORD = 'correct horse battery'
export const OTHER_PASSWORD = 'staple of another horse'

/** The least that is allowed. */
export const CHEAP = { memoryKib: 7168, passes: 1, parallelism: 1 }

const SECURITY_API = '/svc/security/api'

const EVERY_FLOW = { signUp: {}, reset: {}, changeAddress: {}, invitations: {}, deletion: {}, export: {} }

export interface Setting {
  readonly options?: SvcAccountsOptions
  readonly parts?: SvcAccountsParts
  readonly security?: SvcSecurityOptions
  readonly passwordCheck?: PasswordCheck
  readonly transport?: MailTransport
  /** Registers a driver. */
  readonly driver?: (fastify: FastifyInstance) => Promise<unknown>
  readonly lines?: string[]
  /** Parts of the data of accounts. */
  readonly described?: Readonly<Record<string, DataPart>>
}

export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export class AccountsApp {
  readonly fastify: FastifyInstance
  readonly clock: ManualClock

  constructor(fastify: FastifyInstance, clock: ManualClock) {
    this.fastify = fastify
    this.clock = clock
  }

  static async start(t: Test, setting: Setting = {}): Promise<AccountsApp> {
    const { options = EVERY_FLOW, parts = {}, security = {}, transport, driver, lines = [], described = {} } = setting
    const check = setting.passwordCheck
    const clock = new ManualClock()
    const stream = { write: (line: string) => void lines.push(line) }
    const fastify = Fastify({ logger: { level: 'debug', stream } })
    t.teardown(() => fastify.close())
    fastify.decorate('appHost', { name: 'shop', mode: 'test', folder: '.', modules: [], manualJobs: true } as never)
    await ensureStores(fastify, { clock })
    await driver?.(fastify)
    await fastify.register(svcAudit)
    const areas = { api: { pattern: '^/api', authenticators: ['session', 'anonymous'] } }
    const securityParts = { clock, ...(check && { passwords: { check } }) }
    await fastify.register(svcSecurity, { areas, passwords: CHEAP, ...security, parts: securityParts })
    const mail = transport === undefined ? { outbox: true } : {}
    const mailParts = transport === undefined ? { clock } : { clock, transport }
    await fastify.register(svcMail, { from: 'Shop <shop@example.org>', ...mail, parts: mailParts })
    await fastify.register(svcAccounts, { link: LINK, ...options, parts: { clock, ...parts } })
    for (const [name, part] of Object.entries(described)) fastify.accounts.describe(name, part)
    await fastify.ready()
    return new AccountsApp(fastify, clock)
  }

  browser(): Browser {
    return new Browser(this.fastify)
  }

  /** A caller without a session. */
  post(path: string, payload: object, more: Partial<InjectOptions> = {}) {
    return this.fastify.inject({ method: 'POST', url: `/api/accounts${path}`, payload, ...more })
  }

  /** Runs what is due, and returns the mails that were sent since the last call, the oldest first. */
  async letters(): Promise<Letter[]> {
    await this.fastify.jobs.drain()
    const { outbox } = this.fastify.mail
    const mails = outbox.list().map(({ to, subject, text, html }) => {
      return { to: to.map(({ address }) => address).join(), subject, text, html: html ?? '' }
    })
    outbox.clear()
    return mails.reverse()
  }

  /** Moves the clock, then removes accounts as the schedule does. @returns as `letters` */
  async sweptAfter(ms: number): Promise<Letter[]> {
    this.clock.advance(ms)
    await this.fastify.jobs.schedules.runNow('svc.accounts.sweep')
    return this.letters()
  }

  /** The one mail that was sent since the last call. */
  async letter(): Promise<Letter> {
    const [letter, ...more] = await this.letters()
    if (letter === undefined || more.length > 0) throw new Error(`${1 + more.length} mails: ${JSON.stringify(more)}`)
    return letter
  }

  /** An account whose address is proven, and a browser that is signed in. */
  async signedIn(address = ADA, password = PASSWORD): Promise<Browser> {
    await this.post('/sign-up', { address, password })
    await this.post('/verify', { token: tokenOf(await this.letter()), password })
    const browser = this.browser()
    await browser.login(address, password)
    return browser
  }

  /** What the journal has of an action, the newest first. */
  events(action: string): readonly AuditEvent[] {
    return this.fastify.audit.recent(1000).filter((event) => event.action === action)
  }
}

/** Keeps its cookies, and sends the token against foreign pages. */
export class Browser {
  readonly #fastify: FastifyInstance
  readonly #cookies = new Map<string, string>()
  #csrf = ''

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async call(method: 'GET' | 'POST', url: string, payload?: object) {
    const { cookie } = this
    const headers = { ...(cookie === '' ? {} : { cookie }), 'x-csrf-token': this.#csrf }
    const answer = await this.#fastify.inject({ method, url, headers, ...(payload && { payload }) })
    for (const { name, value } of answer.cookies) {
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return answer
  }

  post(path: string, payload: object = {}) {
    return this.call('POST', `/api/accounts${path}`, payload)
  }

  async login(username = ADA, password = PASSWORD) {
    const answer = await this.call('POST', `${SECURITY_API}/auth/login`, { username, password })
    const me = await this.call('GET', `${SECURITY_API}/auth/me`)
    this.#csrf = me.statusCode === 200 ? me.json<{ csrfToken: string }>().csrfToken : ''
    return answer
  }

  me() {
    return this.call('GET', '/api/accounts/me')
  }
}

/** The token of the link of a mail. */
export function tokenOf({ text }: Letter): string {
  const [, token] = /#([A-Za-z0-9_-]{43})/.exec(text) ?? []
  if (token === undefined) throw new Error(`no link in: ${text}`)
  return token
}
