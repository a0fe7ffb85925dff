/**
 * An application with accounts, a journal, webhooks and the receiver of svc-test, listening on
 * a free port; an administrator who is logged in as a browser is; and a clock for deliveries.
 */
import type { FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import { application, createServer, defineConfig, type ModuleEntry } from 'svc-host'
import type { Mode } from 'svc-kernel'
import svcSecurity, { type SvcSecurityOptions } from 'svc-security'
import svcSqlorm from 'svc-sqlorm'
import { ManualClock } from 'svc-stores/conformance'
import svcTest from 'svc-test'
import svcWebhooks, { type SvcWebhooksOptions } from 'svc-webhooks'
import type { Test } from 'tap'
import { AccountBook, API, Browser, CHEAP } from './account-app.ts'
import { type LogLine, logLines } from './log-lines.ts'
import { portOf } from './ports.ts'

export const WEBHOOKS = `${API}/webhooks`

export const KEY = Buffer.alloc(32, 3).toString('base64')

/** What development sets to reach a receiver on the same machine. */
export const LOCAL = { allowHttp: true, denyPrivateIps: false } as const

export interface HookedParts {
  readonly webhooks?: SvcWebhooksOptions
  /** `false`: without an encryption key, unless `webhooks` has one. */
  readonly keyed?: boolean
  readonly mode?: Mode
  /** File of SQLite, shared with another instance or kept over a restart; without one records are in memory. */
  readonly database?: string
  readonly clock?: ManualClock
  /** Zones of svc-security. */
  readonly areas?: SvcSecurityOptions['areas']
  /** Registered before all others. */
  readonly first?: readonly ModuleEntry[]
  /** Registered between svc-security and svc-webhooks. */
  readonly modules?: readonly ModuleEntry[]
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, compared field by field
export type Json = any

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
  readonly text: string
}

export class HookedApp {
  readonly fastify: FastifyInstance
  readonly port: number
  readonly clock: ManualClock
  readonly lines: LogLine[]
  readonly book: AccountBook

  private constructor(fastify: FastifyInstance, parts: Pick<HookedApp, 'clock' | 'lines' | 'book'>) {
    this.fastify = fastify
    this.port = portOf(fastify.server)
    this.clock = parts.clock
    this.lines = parts.lines
    this.book = parts.book
  }

  /** @throws what the boot throws */
  static async start(t: Test, parts: HookedParts = {}): Promise<HookedApp> {
    const { webhooks, keyed = true, mode = 'development', database, clock = new ManualClock() } = parts
    const { areas = {}, first = [], modules = [] } = parts
    const book = new AccountBook()
    await book.add('admin', undefined, { roles: ['ROLE_SVC_ADMIN'] })
    await book.add('paul')
    const { lines, logger } = logLines()
    const connectors = { default: { url: `sqlite:${database}` } }
    const kept: ModuleEntry[] = database === undefined ? [] : [[svcSqlorm, { connectors, parts: { clock } }]]
    const config = defineConfig({
      name: 'hooked',
      mode,
      server: { logger },
      modules: [
        ...first,
        ...kept,
        [svcAudit, { parts: { clock } }],
        [
          svcSecurity,
          { areas, session: {}, passwords: CHEAP, rateLimit: { enabled: false }, parts: { users: book, clock } }
        ],
        ...modules,
        [svcWebhooks, { ...(keyed ? { encryptionKey: KEY } : {}), ...webhooks, parts: { clock } }],
        ...(mode === 'production' ? [] : [[svcTest, { parts: { clock } }] as const])
      ]
    })
    const fastify = await createServer(application(config, import.meta.url))
    t.teardown(() => fastify.close())
    await fastify.listen({ port: 0, host: '127.0.0.1' })
    return new HookedApp(fastify, { clock, lines, book })
  }

  get sink(): string {
    return `http://127.0.0.1:${this.port}/svc/test/webhooks/sink`
  }

  /** What the receiver of this application has received, newest first. */
  async received(): Promise<Json[]> {
    return (await this.fastify.inject('/svc/test/webhooks/received')).json().received
  }

  /** Somebody logs in, as a browser does. */
  async login(name = 'admin'): Promise<Admin> {
    const browser = new Browser(this.port)
    await browser.login(name)
    return new Admin(browser, await browser.csrf())
  }

  /** An event of the journal that no request brings about. */
  record(): void {
    this.fastify.audit.record({ category: 'config', action: 'config.update', outcome: 'success', actor: 'root' })
  }
}

/** Calls the admin API with a session and its token. */
export class Admin {
  readonly browser: Browser
  readonly #csrf: Record<string, string>

  constructor(browser: Browser, csrf: Record<string, string>) {
    this.browser = browser
    this.#csrf = csrf
  }

  async call(method: string, path = '', body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const text = body === undefined ? '' : JSON.stringify(body)
    const sent = { ...this.#csrf, ...type, ...headers }
    const answer = await this.browser.call(method, `${WEBHOOKS}${path}`, sent, text)
    return { ...answer, body: answer.body === '' ? null : JSON.parse(answer.body), text: answer.body }
  }

  /** Registers an endpoint that must be taken. */
  async register(url: string, events: readonly string[] = ['config.update'], more: object = {}): Promise<Json> {
    const made = await this.call('POST', '', { url, events, description: 'journey', ...more })
    if (made.status !== 201) throw new Error(`registration answered ${made.status}: ${made.text}`)
    return made.body
  }
}
