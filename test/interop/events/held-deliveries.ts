/** Two organisations with an endpoint each, at a receiver that holds its answers, and what the stores have of them. */
import Fastify, { type FastifyInstance } from 'fastify'
import svcEvents, { defineEvents } from 'svc-events'
import { eventEndpointStore, eventHistoryStore, eventStore } from 'svc-events/stores'
import svcJobs from 'svc-jobs'
import svcOrganizations from 'svc-organizations'
import svcSecurity from 'svc-security'
import { ensureStores, type StoreDefinition } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import { CHEAP } from '../../support/account-app.ts'
import type { Register } from '../../support/engines.ts'
import { until } from '../../support/until.ts'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import { KEY } from './events-app.ts'

export const DAY_MS = 86_400_000
const PASSWORD = 'correct horse battery'
/** Longer than the delay of a retry, and shorter than the longest attempt. */
const WHILE_MS = 120_000
const STEP_MS = 1_000

const events = defineEvents({
  'ticket.created': {
    data: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
    version: 1
  }
})

export class Customer {
  readonly id: string
  readonly slug: string
  readonly endpoint: string
  readonly secret: string
  readonly #desk: HeldDeliveries

  constructor(desk: HeldDeliveries, id: string, slug: string, endpoint: string, secret: string) {
    this.#desk = desk
    this.id = id
    this.slug = slug
    this.endpoint = endpoint
    this.secret = secret
  }

  async emit(title: string): Promise<void> {
    await this.#desk.app.events.emit('ticket.created', { title: `${title} of ${this.slug}` }, { organization: this.id })
  }

  /** Titles and ids of messages at its address, in the order in which they came. */
  get arrived(): readonly (readonly [title: string, id: string])[] {
    return this.#desk.receiver.received
      .filter(({ path }) => path === `/${this.slug}`)
      .map(({ headers, body }) => {
        const [title = ''] = JSON.parse(String(body)).data.title.split(' of ')
        return [title, String(headers['webhook-id'])] as const
      })
  }

  get titles(): readonly string[] {
    return this.arrived.map(([title]) => title)
  }

  /** How attempts ended, the newest first, as the history has it. */
  async outcomes(): Promise<readonly string[]> {
    await this.#desk.written()
    const { items } = await this.#desk.store(eventHistoryStore).list(this.endpoint, {}, { limit: 100 })
    return items.map(({ event, outcome, status }) => {
      const { data } = (event as unknown as { message: { data: { title: string } } }).message
      return `${data.title.split(' of ')[0]} ${outcome} ${status}`
    })
  }

  /** Waits by the clock of the application until this many attempts are in the history. */
  async recorded(count: number): Promise<readonly string[]> {
    return this.#desk.during(async () => {
      const found = await this.outcomes()
      return found.length === count && found
    }, `${count} attempts in the history of ${this.slug}`)
  }

  /** Titles of its journal, the oldest first. */
  async journal(since: number): Promise<readonly string[]> {
    const { events } = await this.#desk.app.events.list(this.id, { since })
    return events.map(({ data }) => (data as { title: string }).title.split(' of ')[0] ?? '').reverse()
  }

  /** Sends again what it missed. @returns how it ended */
  async recover(since: number) {
    const registry = this.#desk.app.events.endpoints(this.id)
    const { id } = await registry.recover(this.endpoint, { since })
    return this.#desk.during(async () => {
      const found = await registry.recovery(this.endpoint, id)
      return found.state !== 'reading' && found.state !== 'sending' && found
    }, 'the end of a recovery')
  }

  /** Rows that the stores have of it, whatever the application shows. */
  async rows() {
    await this.#desk.written()
    const store = this.#desk.store(eventStore)
    const [outbox, deliveries, history, endpoint] = await Promise.all([
      store.outbox.pending(this.id, 1),
      store.deliveries.pending(this.endpoint, 1),
      this.#desk.store(eventHistoryStore).list(this.endpoint, {}, { limit: 1 }),
      this.#desk.store(eventEndpointStore).find(this.endpoint)
    ])
    return {
      outbox: outbox.waiting + outbox.held,
      deliveries: deliveries.waiting + deliveries.held,
      history: history.items.length,
      endpoints: endpoint === null ? 0 : 1,
      journal: (await store.list(this.id, {}, { limit: 1 })).length
    }
  }
}

export const NO_ROWS = { outbox: 0, deliveries: 0, history: 0, endpoints: 0, journal: 0 }

export class HeldDeliveries {
  readonly app: FastifyInstance
  readonly clock: ManualClock
  readonly receiver: WebhookReceiver
  acme!: Customer
  globex!: Customer

  private constructor(app: FastifyInstance, clock: ManualClock, receiver: WebhookReceiver) {
    this.app = app
    this.clock = clock
    this.receiver = receiver
  }

  static async open(t: Test, register: Register): Promise<HeldDeliveries> {
    const clock = new ManualClock(Date.now())
    const receiver = await WebhookReceiver.start(t)
    const app = Fastify()
    t.teardown(() => app.close())
    app.decorate('appHost', { name: 'desk', root: '.', mode: 'test', checkOnly: false, manualJobs: true } as never)
    await ensureStores(app, { clock })
    await register(app)
    await app.register(svcSecurity, {
      areas: { api: { pattern: '^/api', authenticators: ['userpassword'] } },
      passwords: CHEAP,
      parts: { clock }
    })
    await app.register(svcJobs, { parts: { clock } })
    await app.register(svcOrganizations, { create: {}, deletion: {}, parts: { clock } })
    await app.register(svcEvents, {
      events,
      path: '/api/organizations/:organization',
      encryptionKey: KEY,
      allowHttp: true,
      denyPrivateIps: false,
      deliveryTimeoutMs: 600_000,
      // A second message waits in the queue while the first one is held.
      endpointLimits: { maxConcurrent: 1 },
      portal: {},
      parts: { clock }
    })
    await app.ready()
    const desk = new HeldDeliveries(app, clock, receiver)
    desk.acme = await desk.#customer('acme')
    desk.globex = await desk.#customer('globex')
    return desk
  }

  hold(): void {
    this.receiver.status = (path) => (path === '/acme' ? null : 200)
  }

  /**
   * Messages of acme are on their way: the first is held by its receiver, the others wait behind it.
   *
   * @returns what had arrived and was recorded before
   */
  async underWay(...titles: readonly string[]): Promise<{ readonly arrived: number; readonly attempts: number }> {
    this.hold()
    const arrived = this.acme.titles.length
    const attempts = (await this.acme.outcomes()).length
    // Messages have no order: the first is held before the others are there.
    for (const title of titles) {
      await this.acme.emit(title)
      await this.during(() => this.receiver.waiting === 1, 'the first message')
    }
    await this.during(async () => {
      const { deliveries } = await this.acme.rows()
      return this.receiver.waiting === 1 && deliveries === titles.length
    }, 'messages under way')
    return { arrived, attempts }
  }

  /** The receiver answers what it holds, and holds nothing more. */
  answer(status: number, then = 200): void {
    this.receiver.status = (path) => (path === '/acme' ? then : 200)
    this.receiver.answerAll(status)
  }

  /** Time passes in steps; each leaves room for what its timers began. */
  during<Value>(look: () => Promise<Value | null | false> | Value | null | false, what: string): Promise<Value> {
    return until(async () => {
      this.clock.advance(STEP_MS / 20)
      return look()
    }, what)
  }

  /** Every retry comes due, nothing of acme waits any more, and what globex is sent meanwhile arrives. */
  async settled(): Promise<void> {
    for (let passed = 0; passed < WHILE_MS; passed += STEP_MS) {
      this.clock.advance(STEP_MS)
      await new Promise(setImmediate)
    }
    const marker = `marker ${this.clock.now()}`
    await this.globex.emit(marker)
    await this.during(() => this.globex.titles.includes(marker), 'the marker')
    // Time that leaps may take the leases of workers: others take over what they held.
    await this.during(async () => {
      const { outbox, deliveries } = await this.acme.rows()
      return outbox + deliveries === 0
    }, 'empty queues')
  }

  /** A call of the owner of acme. */
  async call(method: 'GET' | 'POST', path: string) {
    const headers = { authorization: `Basic ${btoa(`acme:${PASSWORD}`)}` }
    const answer = await this.app.inject({ method, url: `/api/organizations/acme${path}`, headers })
    return { status: answer.statusCode, body: answer.json() }
  }

  /** Removes what is due. */
  async sweep(): Promise<void> {
    await this.app.jobs.schedules.runNow('svc.organizations.sweep')
    await this.app.jobs.drain()
  }

  /** The history is written behind the deliveries of all: a reader waits for what ended until then. */
  async written(): Promise<void> {
    const { id, endpoint } = this.globex
    await this.app.events.endpoints(id).history(endpoint, {}, { limit: 1 })
  }

  store<Store extends object>(definition: StoreDefinition<Store>): Store {
    const { store } = this.app.stores.select(definition, 'auto')
    if (store === null) throw new Error(`there is no store of ${definition.brick}`)
    return store
  }

  async #customer(slug: string): Promise<Customer> {
    const owner = await this.app.userAccounts.create({ identifier: slug, password: PASSWORD, roles: [] })
    const { id } = await this.app.organizations.create({ id: owner, identifier: slug }, { slug, name: slug })
    const made = await this.app.events.endpoints(id).create({ url: this.receiver.url(`/${slug}`), events: ['*'] })
    return new Customer(this, id, slug, made.endpoint.id, made.secret)
  }
}
