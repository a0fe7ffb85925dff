/** What endpoints of an organisation missed, sent again: after an outage, while disabled, and to nobody else. */
import t from 'tap'
import { onEveryDatabase } from '../../support/entity-databases.ts'
import { bearer } from '../../support/plain-credential.ts'
import { until } from '../../support/until.ts'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import { API, type EventsApp, eventsApp, Ticket } from './events-app.ts'

t.setTimeout(240_000)

interface RecoveryAnswer {
  readonly id: string
  readonly state: string
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly error: string | null
}

function callsOf({ app }: EventsApp, organization: string) {
  return async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) => {
    const url = `${API(organization)}/webhooks${path}`
    const answer = await app.inject({ method, url, headers: bearer(organization), ...(payload && { payload }) })
    return { status: answer.statusCode, location: answer.headers.location, body: answer.json() }
  }
}

async function madeEndpoint(opened: EventsApp, organization: string, receiver: WebhookReceiver): Promise<string> {
  const payload = { url: receiver.url(`/${organization}`), events: ['ticket.created'] }
  const { status, body } = await callsOf(opened, organization)('POST', '', payload)
  t.equal(status, 201, JSON.stringify(body))
  return body.endpoint.id
}

t.test('what an endpoint missed', (t) =>
  onEveryDatabase(t, [Ticket], async (t, database) => {
    const receiver = await WebhookReceiver.start(t)
    const opened = await eventsApp(t, database)
    const { app, states } = opened
    const [acme, globex] = [callsOf(opened, 'acme'), callsOf(opened, 'globex')]
    const endpoint = await madeEndpoint(opened, 'acme', receiver)
    const foreign = await madeEndpoint(opened, 'globex', receiver)
    const got = () =>
      receiver.received
        .filter(({ path }) => path === '/acme')
        .map(({ headers, body }) => `${JSON.parse(String(body)).data.title} ${headers['webhook-id']}`)
    const titles = () => got().map((each) => each.split(' ')[0])
    const emit = (title: string, organization = 'acme', type: 'ticket.created' | 'ticket.closed' = 'ticket.created') =>
      app.events.emit(type, { title }, { organization })
    const journal = (count: number) =>
      until(async () => (await app.events.list('acme')).events.length === count, `${count} events in the journal`)
    const failures = (count: number) =>
      until(async () => {
        const { deliveries } = await app.events
          .endpoints('acme')
          .history(endpoint, { outcome: 'failed' }, { limit: 100 })
        return deliveries.length === count
      }, `${count} failures in the history`)
    const since = Date.now() - 60_000
    const ended = async (call: typeof acme, id: string, job: string): Promise<RecoveryAnswer> => {
      let last: RecoveryAnswer | null = null
      await until(async () => {
        last = (await call('GET', `/${id}/recover/${job}`)).body
        return last !== null && !['reading', 'sending'].includes(last.state)
      }, 'the end of the recovery')
      return last as unknown as RecoveryAnswer
    }

    // An outage of acme: what it answers is not tried again, so that both deliveries fail for good.
    await emit('delivered')
    await receiver.until(() => titles().includes('delivered'))
    receiver.status = (path) => (path === '/acme' ? 400 : 200)
    await emit('failed-1')
    await emit('failed-2')
    await receiver.until(() => titles().includes('failed-1') && titles().includes('failed-2'))
    const failed = got().filter((each) => each.startsWith('failed'))
    t.equal((await acme('PATCH', `/${endpoint}`, { enabled: false })).status, 200)
    await emit('while-disabled')
    await emit('not-subscribed', 'acme', 'ticket.closed')
    await emit('of-globex', 'globex')
    await journal(5)
    await failures(2)
    t.equal((await acme('PATCH', `/${endpoint}`, { enabled: true })).status, 200)
    const count = got().length
    receiver.status = () => 200

    t.equal((await acme('POST', `/${endpoint}/recover`, { since: since + 120_000, until: since })).status, 400)
    t.equal((await acme('POST', `/${endpoint}/recover`, {})).status, 400)
    t.equal((await globex('POST', `/${endpoint}/recover`, { since })).status, 404)
    const begun = await acme('POST', `/${endpoint}/recover`, { since })
    t.equal(begun.status, 202, JSON.stringify(begun.body))
    t.equal(begun.location, `${API('acme')}/webhooks/${endpoint}/recover/${begun.body.id}`)
    t.match(await ended(acme, endpoint, begun.body.id), { state: 'done', total: 3, done: 3, failed: 0, error: null })
    const recovered = got().slice(count)
    t.strictSame(recovered.slice(0, 2), [...failed].sort(), 'oldest first, under the ids that they had')
    t.strictSame(titles().slice(count), ['failed-1', 'failed-2', 'while-disabled'])
    for (const path of [`/${endpoint}/recover/${begun.body.id}`, `/${foreign}/recover/${begun.body.id}`]) {
      t.equal((await globex('GET', path)).status, 404, 'nothing of a recovery of another organisation')
      t.equal((await globex('DELETE', path)).status, 404)
    }
    const again = await acme('POST', `/${endpoint}/recover`, { since })
    t.match(await ended(acme, endpoint, again.body.id), { state: 'done', total: 0 }, 'nothing is missed any more')

    // Suspended while the first message of a recovery is on its way: the others stay.
    receiver.status = (path) => (path === '/acme' ? 400 : 200)
    for (const title of ['later-1', 'later-2', 'later-3']) await emit(title)
    await receiver.until(() => ['later-1', 'later-2', 'later-3'].every((title) => titles().includes(title)))
    await journal(8)
    await failures(5)
    const before = got().length
    receiver.status = (path) => (path === '/acme' ? null : 200)
    const held = await acme('POST', `/${endpoint}/recover`, { since })
    await receiver.until(() => receiver.waiting === 1)
    states.set('acme', 'suspended')
    receiver.answerAll(200)
    const registry = app.events.endpoints('acme')
    await until(async () => (await registry.recovery(endpoint, held.body.id)).state === 'failed', 'its end')
    t.match(await registry.recovery(endpoint, held.body.id), { done: 1, error: /suspended/ })
    t.equal(got().length, before + 1, 'nothing more was sent')
    t.equal((await acme('POST', `/${endpoint}/recover`, { since })).status, 403)

    states.set('acme', 'active')
    receiver.status = () => 200
    const rest = await acme('POST', `/${endpoint}/recover`, { since })
    t.match(await ended(acme, endpoint, rest.body.id), { state: 'done', total: 2, done: 2 })
    t.strictSame(titles().slice(before + 1), ['later-2', 'later-3'])
    const strangers = receiver.received.filter(({ path, body }) => path === '/acme' && body.includes('of-globex'))
    t.strictSame(strangers, [])

    states.set('acme', null)
    await app.events.forget('acme')
    states.set('acme', 'active')
    t.equal((await acme('GET', `/${endpoint}/recover/${rest.body.id}`)).status, 404, 'gone with the organisation')
  })
)

t.test('without a journal, what failed is recovered, and nothing else is promised', async (t) => {
  const receiver = await WebhookReceiver.start(t)
  const opened = await eventsApp(t, [], () => undefined, { journal: false })
  const acme = callsOf(opened, 'acme')
  const endpoint = await madeEndpoint(opened, 'acme', receiver)
  receiver.status = () => 400
  await opened.app.events.emit('ticket.created', { title: 'failed' }, { organization: 'acme' })
  await receiver.until(() => receiver.received.length === 1)
  const { events } = opened.app
  await until(async () => (await events.endpoints('acme').deliveries(endpoint)).length === 1, 'the failure')
  const since = Date.now() - 60_000
  t.match((await acme('POST', `/${endpoint}/recover`, { since })).body, { code: 'SVC_WEBHOOKS_BAD_RANGE' })
  receiver.status = () => 200
  const { status } = await acme('POST', `/${endpoint}/recover`, { since, status: 'failed' })
  t.equal(status, 202)
  await receiver.until(() => receiver.received.length === 2)
})
