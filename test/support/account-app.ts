/** An application with accounts on a clock that stands still, and a browser that keeps its cookies. */
import type { ControllerClass } from 'svc-decorators'
import type { ModuleEntry, ServerConfig } from 'svc-host'
import { hashPassword, type SvcSecurityOptions, type SvcSecurityParts } from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import type { RawAnswer } from './raw-http.ts'
import { type RawHeaders, rawExchange, rawRequest } from './raw-http.ts'
import { startApp } from './start-app.ts'

export const API = '/svc/security/api'
export const PASSWORD = 'a:b:c:d:e'

/** A key set for applications that issue tokens, made anew for each run. */
export const KEY_SET = { keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) } as const

/** The least cost that is allowed. */
export const CHEAP = { memoryKib: 7168, passes: 1 } as const

export interface Account {
  identifier: string
  roles: string[]
  password: string | null
  enabled?: boolean
  locked?: boolean
}

/** Users that a case may change while it runs, and a source that it may break. */
export class AccountBook {
  readonly accounts = new Map<string, Account>()
  lookups = 0
  failure: Error | null = null

  async findByIdentifier(identifier: string): Promise<Account | null> {
    this.lookups += 1
    if (this.failure !== null) throw this.failure
    return this.accounts.get(identifier) ?? null
  }

  async add(identifier: string, password: string | null = PASSWORD, more: Partial<Account> = {}): Promise<Account> {
    const hashed = password === null ? null : await hashPassword(password, { ...CHEAP, parallelism: 1 })
    const account = { identifier, roles: ['ROLE_USER'], password: hashed, ...more }
    this.accounts.set(identifier, account)
    return account
  }
}

export interface AccountParts {
  security?: SvcSecurityOptions
  parts?: SvcSecurityParts
  modules?: readonly ModuleEntry[]
  controllers?: readonly ControllerClass[]
  server?: ServerConfig
  /** For modules that look at the same clock. */
  clock?: ManualClock
  /** Registered first, in place of the journal that keeps `records`. */
  before?: readonly ModuleEntry[]
}

/** `/in` takes sessions, `/basic` passwords; alice may log in. */
export async function accountApp(
  t: Test,
  { security, parts, modules = [], controllers = [], server, clock = new ManualClock(), before }: AccountParts = {}
) {
  const book = new AccountBook()
  const alice = await book.add('alice')
  const whoami: ModuleEntry = Object.assign(
    async (fastify: Parameters<Extract<ModuleEntry, (...given: never[]) => unknown>>[0]) => {
      for (const url of ['/in/who', '/basic/who']) {
        fastify.get(url, async ({ user, token }) => ({ who: user?.identifier, roles: user?.roles, type: token?.type }))
        fastify.post(url, async () => 'changed')
        fastify.patch(url, async () => 'changed')
        fastify.delete(url, async () => 'changed')
      }
    },
    { [Symbol.for('skip-override')]: true }
  )
  const started = await startApp(t, {
    security: {
      areas: {
        in: { pattern: '^/(?:in|talk)', authenticators: ['session'] },
        basic: { pattern: '^/basic', authenticators: ['userpassword'] }
      },
      passwords: CHEAP,
      ...security,
      parts: { users: book, clock, ...parts }
    },
    modules: [whoami, ...modules],
    controllers,
    ...(server === undefined ? {} : { server }),
    ...(before === undefined ? {} : { before })
  })
  return { ...started, alice, book, clock, browser: () => new Browser(started.port) }
}

export class Browser {
  readonly port: number
  readonly cookies = new Map<string, string>()

  constructor(port: number) {
    this.port = port
  }

  async call(method: string, target: string, headers: RawHeaders = {}, body = ''): Promise<RawAnswer> {
    const sent = { ...(this.cookies.size === 0 ? {} : { cookie: this.cookie }), ...headers }
    const answer = await rawExchange(this.port, rawRequest(method, target, sent, body))
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(answer.headers['set-cookie'] ?? '') ?? []
    if (value !== '') this.cookies.set(name, value)
    else this.cookies.delete(name)
    return answer
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** The session id, whatever its cookie is called. */
  get session(): string {
    return [...this.cookies.values()].join()
  }

  post(target: string, payload: unknown, headers: RawHeaders = {}): Promise<RawAnswer> {
    return this.call('POST', target, { 'content-type': 'application/json', ...headers }, JSON.stringify(payload))
  }

  login(username = 'alice', password = PASSWORD, headers: RawHeaders = {}): Promise<RawAnswer> {
    return this.post(`${API}/auth/login`, { username, password }, headers)
  }

  basic(credential: string | Buffer, headers: RawHeaders = {}): Promise<RawAnswer> {
    const encoded = Buffer.from(credential as string).toString('base64')
    return this.call('GET', '/basic/who', { authorization: `Basic ${encoded}`, ...headers })
  }

  async csrf(): Promise<{ 'x-csrf-token': string }> {
    const { body } = await this.call('GET', `${API}/auth/csrf`)
    return { 'x-csrf-token': (JSON.parse(body) as { csrfToken: string }).csrfToken }
  }
}

/** How many of the answers have each status. */
export function statuses(answers: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
