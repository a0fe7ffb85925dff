/** An application with every section on: callers are named by a header, mails stay in an outbox, jobs run when a test says so. */
import { setImmediate } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import svcAudit from 'svc-audit'
import svcJobs from 'svc-jobs'
import { createAccessToken, guardHooks } from 'svc-kernel'
import svcMail from 'svc-mail'
import svcOrm, { defineEntity } from 'svc-orm'
import svcSecurity, { type Authenticator, type PasswordCheck } from 'svc-security'
import { ensureStores } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import svcOrganizations, { type SvcOrganizationsOptions, type SvcOrganizationsParts } from '../../src/index.ts'

export const API = '/api/organizations'
export const LINK = 'https://shop.example.org/join'

/** The least that is allowed. */
const CHEAP = { memoryKib: 7168, passes: 1, parallelism: 1 }
const PASSWORD = 'correct horse battery'

export const EVERY_SECTION: SvcOrganizationsOptions = {
  roles: {
    admin: { permissions: ['members', 'settings', 'keys', 'billing'] },
    clerk: { permissions: ['billing'] },
    reader: { permissions: [] }
  },
  active: { header: 'x-organization', host: 'example.org' },
  create: {},
  invitations: { link: LINK },
  transfer: {},
  deletion: {},
  keys: {},
  domains: { providers: ['entra'] },
  scim: { role: 'reader', groups: { Admins: 'admin', Billing: 'clerk' } }
}

export const Note = defineEntity({
  name: 'Note',
  scope: 'organization',
  schema: { text: { type: 'string' } }
})

export interface Setting {
  readonly options?: SvcOrganizationsOptions
  readonly parts?: SvcOrganizationsParts
  readonly driver?: (fastify: FastifyInstance) => Promise<unknown>
  readonly routes?: (fastify: FastifyInstance) => void
  readonly passwordCheck?: PasswordCheck
}

export class OrganizationsApp {
  readonly fastify: FastifyInstance
  readonly clock: ManualClock
  /** Login names whose address is not proven. */
  readonly unproven = new Set<string>()

  constructor(fastify: FastifyInstance, clock: ManualClock) {
    this.fastify = fastify
    this.clock = clock
  }

  static async start(t: Test, setting: Setting = {}): Promise<OrganizationsApp> {
    const { options = EVERY_SECTION, parts = {}, driver, routes, passwordCheck: check } = setting
    const clock = new ManualClock()
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    const app = new OrganizationsApp(fastify, clock)
    fastify.decorate('appHost', {
      name: 'shop',
      mode: 'test',
      folder: '.',
      root: '.',
      modules: [],
      manualJobs: true
    } as never)
    await ensureStores(fastify, { clock })
    await driver?.(fastify)
    await fastify.register(svcOrm, { memory: true, parts: { entities: [Note] } })
    await fastify.register(svcAudit)
    const areas = { api: { pattern: '^/(api|svc|scim)', authenticators: ['named', 'apikey', 'anonymous'] } }
    await fastify.register(svcSecurity, {
      areas,
      passwords: CHEAP,
      parts: { clock, authenticators: { named: named(clock) }, ...(check && { passwords: { check } }) }
    })
    await fastify.register(svcJobs, { parts: { clock } })
    await fastify.register(svcMail, { from: 'Shop <shop@example.org>', outbox: true, parts: { clock } })
    const provenAddress = ({ identifier }: { readonly identifier: string }) => {
      return app.unproven.has(identifier) ? null : identifier
    }
    await fastify.register(svcOrganizations, { ...options, parts: { clock, provenAddress, ...parts } })
    noteRoutes(fastify)
    routes?.(fastify)
    await fastify.ready()
    return app
  }

  /** A user of this login name, with the role of administrators where asked. */
  async user(identifier: string, roles: readonly string[] = []): Promise<Caller> {
    await this.fastify.userAccounts.create({ identifier, password: PASSWORD, roles })
    return new Caller(this.fastify, { 'x-user': identifier, 'x-roles': roles.join() })
  }

  /** A caller with a key. */
  key(token: string): Caller {
    return new Caller(this.fastify, { authorization: `Bearer ${token}` })
  }

  /** An organisation of this owner. @returns its id */
  async organization(owner: Caller, slug: string): Promise<string> {
    const made = await owner.post(API, { slug, name: slug.toUpperCase() })
    if (made.statusCode !== 201) throw new Error(made.body)
    return made.json<{ id: string }>().id
  }

  /** Adds a member. @returns the id of the membership */
  async member(organization: string, identifier: string, role: string): Promise<string> {
    const user = await this.fastify.userAccounts.find(identifier)
    if (user === null) throw new Error(`no user ${identifier}`)
    return (await this.fastify.organizations.addMember(organization, user, role)).id
  }

  /** Moves the clock, and waits for what its timers began. */
  async elapse(ms: number): Promise<void> {
    this.clock.advance(ms)
    for (let turn = 0; turn < 20; turn += 1) await setImmediate()
  }

  /** Runs what is due. @returns tokens of the mails that were sent, by recipient */
  async tokens(): Promise<ReadonlyMap<string, string>> {
    await this.fastify.jobs.drain()
    const { outbox } = this.fastify.mail
    const found = outbox.list().map(({ to, text }) => {
      const [, token = ''] = /#([A-Za-z0-9_-]{43})/.exec(text) ?? []
      return [to.map(({ address }) => address).join(), token] as const
    })
    outbox.clear()
    return new Map(found)
  }
}

export class Caller {
  readonly #fastify: FastifyInstance
  readonly #headers: Readonly<Record<string, string>>

  constructor(fastify: FastifyInstance, headers: Readonly<Record<string, string>>) {
    this.#fastify = fastify
    this.#headers = headers
  }

  call(method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, payload?: object, more: object = {}) {
    const request: InjectOptions = { method, url, headers: { ...this.#headers, ...more } }
    return this.#fastify.inject(payload === undefined ? request : { ...request, payload })
  }

  get(url: string, more: object = {}) {
    return this.call('GET', url, undefined, more)
  }

  post(url: string, payload?: object, more: object = {}) {
    return this.call('POST', url, payload, more)
  }

  patch(url: string, payload: object) {
    return this.call('PATCH', url, payload)
  }

  delete(url: string) {
    return this.call('DELETE', url)
  }
}

/** Takes the caller from a header, as a session of a person who was proven just now. */
const named = (clock: ManualClock): Authenticator<Readonly<Record<string, unknown>>> => ({
  carrier: 'header',
  subject: 'person',
  tokenType: 'session',
  supports: ({ headers }) => headers['x-user'] !== undefined,
  createToken: ({ headers }) => headers,
  authenticate: (headers) => {
    const roles = String(headers['x-roles'] ?? '')
    const user = { identifier: String(headers['x-user']), roles: roles === '' ? [] : roles.split(',') }
    return createAccessToken({ type: 'session', user, provenAt: clock.now(), factors: ['pwd'] })
  }
})

/** Notes of the organisation that a request names, by its path or otherwise; and who is active. */
function noteRoutes(fastify: FastifyInstance): void {
  const notes = () => fastify.orm.repository(Note)
  const billing = guardHooks([[{ attribute: 'ORG_BILLING' }]])
  for (const path of ['/api/at/:organization', '/api']) {
    fastify.get(`${path}/notes`, () => notes().find())
    fastify.post<{ Body: { text: string } }>(`${path}/notes`, ({ body }) => notes().create({ text: body.text }))
    fastify.get<{ Params: { id: string } }>(`${path}/notes/:id`, ({ params }) => notes().findOne({ id: params.id }))
    fastify.delete<{ Params: { id: string } }>(`${path}/notes/:id`, async ({ params }) => ({
      removed: await notes().delete({ id: params.id })
    }))
    fastify.get(`${path}/billing`, billing, ({ organization }) => ({ organization }))
    fastify.get(`${path}/active`, ({ organization }) => ({ organization }))
  }
}
