/**
 * Organisations are deleted while a receiver holds a message of theirs: whatever it answers then, nothing more is sent, and
 * no row of them is left, neither in the process that sent it nor for the next.
 */
import { eventEndpointStore, eventHistoryStore, eventRecoveryStore, eventStore } from 'svc-events/stores'
import type { StoreDefinition } from 'svc-stores'
import t from 'tap'
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

t.test('deleted in mid-delivery', (t) =>
  onEveryDatabase(t, [Ticket], async (t, database) => {
    const receiver = await WebhookReceiver.start(t)
    const opened = await eventsApp(t, database, undefined, OPTIONS)
    const { app, states } = opened
    const { events } = app
    const at = (path: string) => receiver.received.filter((message) => message.path === path)
    const emit = (title: string, organization: string) => events.emit('ticket.created', { title }, { organization })
    const since = Date.now() - 60_000
    const globex = await events.endpoints('globex').create({ url: receiver.url('/globex'), events: ['*'] })
    const gone: { readonly organization: string; readonly endpoint: string; readonly arrived: number }[] = []

    for (const [how, status] of CASES) {
      const organization = `${how}-${status}`
      const path = `/${organization}`
      const registry = events.endpoints(organization)
      const { endpoint } = await registry.create({ url: receiver.url(path), events: ['*'] })
      const held = async (message: () => Promise<unknown>) => {
        receiver.status = (asked) => (asked === path ? null : 200)
        await message()
        await until(() => receiver.waiting === 1, `the message of ${organization}`)
        // From now on it takes everything.
        receiver.status = () => 200
      }
      const first = async (answer: number) => {
        receiver.status = (asked) => (asked === path ? answer : 200)
        await emit('before', organization)
        const [record] = await until(async () => {
          const ended = await registry.deliveries(endpoint.id)
          return ended.length === 1 && ended
        }, 'the first message')
        return record?.messageId ?? ''
      }
      if (how === 'event') await held(() => emit('under way', organization))
      if (how === 'second') {
        await first(200)
        await held(() => emit('under way', organization))
      }
      if (how === 'test') await held(() => registry.sendTest(endpoint.id))
      if (how === 'resend') {
        const id = await first(200)
        await held(() => registry.resend(endpoint.id, id))
      }
      if (how === 'recovery') {
        await first(400)
        await held(() => registry.recover(endpoint.id, { since }))
      }
      t.not((await left(opened, organization, endpoint.id)).length, 0, `${organization} has rows`)
      states.set(organization, null)
      await events.forget(organization)
      const arrived = at(path).length
      receiver.answerAll(status)
      gone.push({ organization, endpoint: endpoint.id, arrived })
    }
    await emit('last', 'globex')
    await until(async () => (await events.endpoints('globex').deliveries(globex.endpoint.id)).length > 0, 'globex')
    if (t.name === 'memory') {
      // What ended is in the history once this is answered.
      for (const { organization, endpoint } of gone) {
        await until(async () => (await left(opened, organization, endpoint)).length === 0, `nothing of ${organization}`)
      }
      return
    }
    // A process that ends writes what it still has.
    await app.close()
    const next = await eventsApp(t, database, undefined, OPTIONS)
    for (const { organization, endpoint } of gone) {
      t.strictSame(await left(next, organization, endpoint), [], organization)
      // The name may be given again, to somebody else.
      t.strictSame((await next.app.events.endpoints(organization).list()).endpoints, [])
      await next.app.events.emit('ticket.created', { title: 'of the next' }, { organization })
    }
    await next.app.events.emit('ticket.created', { title: 'very last' }, { organization: 'globex' })
    await until(() => at('/globex').length === 2, 'what globex gets')
    for (const { organization } of gone) {
      await until(async () => (await next.app.events.list(organization)).events.length === 1, 'its own journal')
    }
    for (const { organization, arrived } of gone) t.equal(at(`/${organization}`).length, arrived, organization)
    t.strictSame(
      at('/globex').map(({ body }) => JSON.parse(String(body)).data.title),
      ['last', 'very last']
    )
  })
)
