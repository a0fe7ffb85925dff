/** The help desk on a port, with the clock and the outbox of a test, and people who call it through svc-client alone. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Client, createClient, type Interceptor, type SocketLike } from 'svc-client'
import { buildApp, callersOf, jobsOf, ManualClock, mailsOf, type TestJobs, type ToolDoor } from 'svc-test'
import type { Test } from 'tap'
import { WebSocket } from 'ws'
import type { Routes } from '../routes.d.ts'

const PASSWORD = 'correct horse battery'
/** A tool of a program is called at the host of its audience. */
const ORIGIN = 'http://localhost'
/** A page finds it by itself. */
const CSRF = '/svc/security/api/auth/csrf'

export type Api = Client<Routes>

/** Who calls: a person with a session, or a program with a key. */
export interface Caller {
  readonly name: string
  readonly api: Api
  /** Opens the socket of svc-realtime. */
  readonly connect: Api['connect']
}

export interface Person extends Caller {
  /** Tools, by a token for them. */
  readonly tools: ToolDoor
  /** Begins a session, in place of one that is over. */
  login(): Promise<void>
}

export class HelpDesk {
  readonly app: FastifyInstance
  readonly clock: ManualClock
  readonly stranger: Api
  readonly #url: string

  private constructor(app: FastifyInstance, clock: ManualClock, url: string) {
    this.app = app
    this.clock = clock
    this.#url = url
    this.stranger = createClient<Routes>({ baseUrl: url, retry: false })
  }

  /** Once in a process: the environment says where the data is. */
  static async open(t: Test, databaseUrl: string): Promise<HelpDesk> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-helpdesk-'))
    const url = databaseUrl === 'sqlite' ? `sqlite:${folder}/app.db` : databaseUrl
    const files = { FILES: join(folder, 'files'), KEYS: join(folder, 'keys') }
    Object.assign(process.env, { NODE_ENV: 'test', ORIGIN, DATABASE_URL: url, ...files })
    const clock = new ManualClock(Date.now())
    const app = await buildApp(join(import.meta.dirname, '..'), { clock })
    t.teardown(async () => {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    })
    return new HelpDesk(app, clock, await app.listen({ host: '127.0.0.1', port: 0 }))
  }

  get jobs(): TestJobs {
    return jobsOf(this.app)
  }

  /** Signs up by the link of a mail. */
  async person(address: string): Promise<Person> {
    const { stranger } = this
    await stranger.call('POST /api/accounts/sign-up', { body: { address, password: PASSWORD } })
    await stranger.call('POST /api/accounts/verify', {
      body: { token: await this.tokenOf(address), password: PASSWORD }
    })
    const cookies = new Cookies()
    const caller = this.#caller(address, () => cookies.headers, [cookies.keep], CSRF)
    const login = async () => {
      cookies.clear()
      await caller.api.call('POST /svc/security/api/auth/login', { body: { username: address, password: PASSWORD } })
    }
    await login()
    const body = { username: address, password: PASSWORD, resource: `${ORIGIN}/mcp` }
    const { access_token } = await stranger.call('POST /svc/security/api/token', { body })
    const tools = callersOf(this.app, { headers: { authorization: `Bearer ${access_token}` } }).tool
    return { ...caller, tools, login }
  }

  /** A program with a key. */
  program(name: string, key: string): Caller {
    return this.#caller(name, () => ({ authorization: `Bearer ${key}` }))
  }

  /** An organisation of this owner. @returns its id */
  async organization({ api }: Person, slug: string): Promise<string> {
    return (await api.call('POST /api/organizations', { body: { name: slug.toUpperCase(), slug } })).id
  }

  /** Invites by mail, and accepts. */
  async join(organization: string, owner: Person, person: Person, role: string): Promise<void> {
    const invitation = { params: { organization }, body: { address: person.name, role } }
    await owner.api.call('POST /api/organizations/:organization/invitations', invitation)
    const token = await this.tokenOf(person.name)
    await person.api.call('POST /api/organizations/invitations/accept', { body: { token } })
  }

  /** That of the link in the last mail, once the jobs that send mails have run. */
  async tokenOf(to: string): Promise<string> {
    await this.jobs.drain()
    const { text } = mailsOf(this.app).last({ to })
    return /#([\w-]{43})/.exec(text)?.[1] ?? ''
  }

  #caller(
    name: string,
    headers: () => Readonly<Record<string, string>>,
    interceptors: readonly Interceptor[] = [],
    csrf: string | false = false
  ): Caller {
    // A session over a socket is taken from pages of the own origin alone.
    const openSocket = (url: string) =>
      new WebSocket(url, { origin: this.#url, headers: headers() }) as unknown as SocketLike
    const api = createClient<Routes>({ baseUrl: this.#url, retry: false, headers, interceptors, csrf, openSocket })
    return { name, api, connect: () => api.connect() }
  }
}

/** What a browser does by itself: it keeps cookies, and sends them again. */
class Cookies {
  readonly #values = new Map<string, string>()

  get headers(): Readonly<Record<string, string>> {
    if (this.#values.size === 0) return {}
    return { cookie: [...this.#values].map(([name, value]) => `${name}=${value}`).join('; ') }
  }

  readonly keep: Interceptor = async (request, next) => {
    const response = await next(request)
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      this.#values.set(name, value)
    }
    return response
  }

  clear(): void {
    this.#values.clear()
  }
}
