/**
 * Organisations are deleted while a receiver holds a message of theirs: whatever it answers then, nothing more is sent, and
 * no row of them is left, neither in the process that sent it nor for the next.
 */
import { eventEndpointStore, eventHistoryStore, eventRecoveryStore, eventStore } from 'svc-events/stores'
import type { StoreDefinition } from 'svc-stores'
import t, { type Test } from 'tap'
import { onEveryDatabase } from '../../support/entity-databases.ts'
import { until } from '../../support/until.ts'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import { type EventsApp, eventsApp, Ticket } from './events-app.ts'

t.setTimeout(300_000)

/** How the message was sent, and what its receiver answers after the deletion. */
const CASES = [
  ['event', 200],
  ['event', 503],
  ['event', 400],
  ['second', 200],
  ['resend', 200],
  ['resend', 503],
  ['test', 200],
  ['recovery', 200],
  ['recovery', 503]
] as const

/** A retry comes within the test. */
const OPTIONS = { retryScheduleS: [1, 1, 1], autoDisableThreshold: 0 }

function storesOf({ app }: EventsApp) {
  const store = <Store extends object>(definition: StoreDefinition<Store>): Store => {
    const { store } = app.stores.select(definition, 'auto')
    if (store === null) throw new Error(`there is no store of ${definition.brick}`)
    return store
  }
  return {
    events: store(eventStore),
    endpoints: store(eventEndpointStore),
    history: store(eventHistoryStore),
    recoveries: store(eventRecoveryStore)
  }
}

/** What is left of an organisation, whatever the application shows of it. */
async function left(opened: EventsApp, organization: string, endpoint: string): Promise<readonly string[]> {
  const { events, endpoints, history, recoveries } = storesOf(opened)
  const [outbox, deliveries] = await Promise.all([
    events.outbox.pending(organization, 1),
    events.deliveries.pending(endpoint, 1)
  ])
  const { items } = await history.list(endpoint, {}, { limit: 100 })
  return [
    ...(outbox.waiting + outbox.held > 0 ? ['outbox'] : []),
    ...(deliveries.waiting + deliveries.held > 0 ? ['delivery'] : []),
    ...items.map(({ outcome }) => `history: ${outcome}`),
    ...((await endpoints.find(endpoint)) === null ? [] : ['endpoint']),
    ...((await recoveries.find(endpoint)) === null ? [] : ['recovery']),
    ...(await events.list(organization, {}, { limit: 100 })).map(({ type }) => `journal: ${type}`)
  ]
}

type How = (typeof CASES)[number][0]

interface Gone {
  readonly organization: string
  readonly endpoint: string
  /** Messages that had arrived at the deletion. */
  readonly arrived: number
}

const emit = ({ app }: EventsApp, title: string, organization: string) =>
  app.events.emit('ticket.created', { title }, { organization })

const at = (receiver: WebhookReceiver, organization: string) =>
  receiver.received.filter(({ path }) => path === `/${organization}`)

/** A message of a new organisation is under way: its receiver holds it. @returns the id of its endpoint */
async function underWay(opened: EventsApp, receiver: WebhookReceiver, how: How, organization: string): Promise<string> {
  const registry = opened.app.events.endpoints(organization)
  const { endpoint } = await registry.create({ url: receiver.url(`/${organization}`), events: ['*'] })
  const { id } = endpoint
  const first = async (status: number): Promise<string> => {
    receiver.status = (path) => (path === `/${organization}` ? status : 200)
    await emit(opened, 'before', organization)
    const [record] = await until(async () => {
      const ended = await registry.deliveries(id)
      return ended.length === 1 && ended
    }, 'the first message')
    return record?.messageId ?? ''
  }
  const since = Date.now() - 60_000
  const sent = how === 'event' || how === 'test' ? '' : await first(how === 'recovery' ? 400 : 200)
  receiver.status = (path) => (path === `/${organization}` ? null : 200)
  const ways: Readonly<Record<How, () => Promise<unknown>>> = {
    event: () => emit(opened, 'under way', organization),
    second: () => emit(opened, 'under way', organization),
    resend: () => registry.resend(id, sent),
    test: () => registry.sendTest(id),
    recovery: () => registry.recover(id, { since })
  }
  await ways[how]()
  await until(() => receiver.waiting === 1, `the message of ${organization}`)
  return id
}

/** In the next process: no row, and nothing for whoever gets the name. */
async function nothingLater(t: Test, next: EventsApp, receiver: WebhookReceiver, gone: readonly Gone[]): Promise<void> {
  for (const { organization, endpoint } of gone) {
    t.strictSame(await left(next, organization, endpoint), [], organization)
    t.strictSame((await next.app.events.endpoints(organization).list()).endpoints, [])
    await emit(next, 'of the next', organization)
  }
  await emit(next, 'very last', 'globex')
  await until(() => at(receiver, 'globex').length === 2, 'what globex gets')
  for (const { organization, arrived } of gone) {
    await until(async () => (await next.app.events.list(organization)).events.length === 1, 'its own journal')
    t.equal(at(receiver, organization).length, arrived, organization)
  }
  const titles = at(receiver, 'globex').map(({ body }) => JSON.parse(String(body)).data.title)
  t.strictSame(titles, ['last', 'very last'])
}

t.test('deleted in mid-delivery', (t) =>
  onEveryDatabase(t, [Ticket], async (t, database) => {
    const receiver = await WebhookReceiver.start(t)
    const opened = await eventsApp(t, database, undefined, OPTIONS)
    const { events } = opened.app
    const globex = await events.endpoints('globex').create({ url: receiver.url('/globex'), events: ['*'] })
    const gone: Gone[] = []
    for (const [how, status] of CASES) {
      const organization = `${how}-${status}`
      const endpoint = await underWay(opened, receiver, how, organization)
      t.not((await left(opened, organization, endpoint)).length, 0, `${organization} has rows`)
      opened.states.set(organization, null)
      await events.forget(organization)
      gone.push({ organization, endpoint, arrived: at(receiver, organization).length })
      receiver.status = () => 200
      receiver.answerAll(status)
    }
    await emit(opened, 'last', 'globex')
    await until(async () => (await events.endpoints('globex').deliveries(globex.endpoint.id)).length > 0, 'globex')
    // Memory ends with its process.
    if (t.name === 'memory') {
      for (const { organization, endpoint } of gone) {
        await until(async () => (await left(opened, organization, endpoint)).length === 0, `nothing of ${organization}`)
      }
      return
    }
    // A process that ends writes what it still has.
    await opened.app.close()
    await nothingLater(t, await eventsApp(t, database, undefined, OPTIONS), receiver, gone)
  })
)
