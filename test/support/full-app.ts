/** The preset `full`, built and loaded in this process, with every kind of login; and callers who ask it. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { application, createServer, type ModuleEntry, type ServerConfig } from 'svc-host'
import type { Test } from 'tap'
import { copyBuiltApp } from './created-app.ts'
import { oidcProvider } from './oidc-provider.ts'
import { temporaryFolder } from './shop.ts'

export const API = '/svc/security/api'
export const PASSWORD = 'correct horse battery'
export const ORIGIN = 'http://localhost'

/** Options that the preset leaves out: what switches more routes on, and what makes passwords cheap. */
const MORE: Readonly<Record<string, object>> = {
  'svc-orm': { admin: { rows: true, write: true } },
  'svc-openapi': { open: false, include: ['/*'] },
  'svc-webhooks': { history: {} },
  // All requests of a test come from one network.
  'svc-accounts': { limits: { perNetwork: '100000/min' } }
}

interface Config {
  readonly server?: ServerConfig
  readonly modules: readonly ModuleEntry[]
}

export interface Asked {
  readonly query?: Readonly<Record<string, string | string[]>>
  readonly headers?: Readonly<Record<string, string>>
  /** An object goes as JSON, a text as it is. */
  readonly body?: object | string | undefined
}

/** @param openapi options of svc-openapi in place of one document with all routes; none for those of the preset */
export async function fullApp(t: Test, openapi: object = MORE['svc-openapi'] ?? {}) {
  const folder = join(await temporaryFolder(t), 'shop')
  await copyBuiltApp(folder, 'full')
  process.env.DATABASE_URL = `sqlite:${folder}/data.db`
  process.env.NODE_ENV = 'development'
  process.chdir(folder)
  const provider = await oidcProvider(t)
  const file = pathToFileURL(join(folder, 'dist/svc.config.js')).href
  const { default: given } = (await import(file)) as { default: Config }
  const security = {
    passwords: { memoryKib: 7168, passes: 1, parallelism: 1 },
    passkeys: { rpId: 'localhost', origins: [ORIGIN] },
    oauth2: { publicUrl: ORIGIN, providers: { home: { issuer: provider.issuer, clientId: 'shop' } } }
  }
  const more: Readonly<Record<string, object>> = { ...MORE, 'svc-openapi': openapi, 'svc-security': security }
  const modules = given.modules.map((entry) => withOptions(entry, more))
  const config = { ...given, server: { ...given.server, logger: { level: 'silent' } }, modules }
  const fastify = await createServer(application(config as never, file))
  t.teardown(() => fastify.close())
  await fastify.ready()
  return { fastify, provider }
}

/** A module is known by the name that its plugin says. */
function withOptions(entry: ModuleEntry, more: Readonly<Record<string, object>>): ModuleEntry {
  const [plugin, options = {}] = (Array.isArray(entry) ? entry : [entry]) as [object, object?]
  const meta = (plugin as Record<symbol, { readonly name?: string }>)[Symbol.for('plugin-meta')]
  const own = more[meta?.name ?? '']
  return own === undefined ? entry : ([plugin, { ...options, ...own }] as ModuleEntry)
}

/** A browser, or a program with a header of its own. It keeps its cookies. */
export class Caller {
  readonly #fastify: FastifyInstance
  readonly #headers: Readonly<Record<string, string>>
  readonly #cookies = new Map<string, string>()
  #csrf: string | null = null

  constructor(fastify: FastifyInstance, headers: Readonly<Record<string, string>> = {}) {
    this.#fastify = fastify
    this.#headers = headers
  }

  async ask(method: string, url: string, { query = {}, headers = {}, body }: Asked = {}) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.#fastify.inject({
      method: method as 'GET',
      url,
      query: { ...query },
      headers: {
        ...this.#headers,
        ...(cookie === '' ? {} : { cookie }),
        ...(this.#csrf === null || method === 'GET' ? {} : { 'x-csrf-token': this.#csrf }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) })
    })
    for (const { name, value } of answer.cookies) this.#cookies.set(name, value)
    return answer
  }

  async signIn(username: string, password = PASSWORD): Promise<void> {
    this.#cookies.clear()
    await this.ask('POST', `${API}/auth/login`, { body: { username, password } })
    await this.readToken()
  }

  /** The CSRF token of the session; without a session none is sent. */
  async readToken(): Promise<void> {
    const me = await this.ask('GET', `${API}/auth/me`)
    this.#csrf = me.statusCode === 200 ? (me.json() as { csrfToken: string }).csrfToken : null
  }
}
