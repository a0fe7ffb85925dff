/** J12: a receiver that fails, a secret that is replaced, and what is left after a restart. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { type Admin, HookedApp, type Json, LOCAL } from '../support/hooked-app.ts'
import { until } from '../support/until.ts'
import { administrator, guess, hookedShop } from './hooked-shop.ts'

const SECONDS = [5, 10, 20, 40, 80]

/** Waits until the receiver of an application has so many messages. */
function messages(app: HookedApp, count: number): Promise<Json[]> {
  return until(async () => {
    const received = await app.received()
    return received.length >= count ? received : null
  }, `${count} messages`)
}

async function view(admin: Admin, id: string): Promise<Json> {
  return (await admin.call('GET', `/${id}`)).body
}

function disablings(app: HookedApp): number {
  return app.fastify.audit.recent(10_000).filter(({ action }) => action === 'webhook.disabled').length
}

t.test('a receiver that answers 500: six sends of one message, one record, one failure', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL })
  const admin = await app.login()
  const { endpoint } = await admin.register(`${app.sink}/status/500`)
  app.record()
  for (const [index, seconds] of SECONDS.entries()) {
    await messages(app, index + 1)
    await until(async () => ((await admin.call('GET', '/stats')).body.queue.inFlight === 0 ? true : null), 'the answer')
    app.clock.advance(seconds * 1000 - 1)
    t.equal((await app.received()).length, index + 1, `not before ${seconds} s`)
    app.clock.advance(1)
  }
  const received = await messages(app, 6)
  t.equal(new Set(received.map(({ id }: Json) => id)).size, 1, 'one id')
  t.equal(new Set(received.map(({ headers }: Json) => headers['webhook-signature'])).size, 6, 'a signature per attempt')
  t.equal(new Set(received.map(({ body }: Json) => body)).size, 1, 'the same bytes')
  const deliveries = await until(async () => {
    const { body } = await admin.call('GET', `/${endpoint.id}/deliveries`)
    return body.deliveries.length > 0 ? body.deliveries : null
  }, 'the record')
  t.equal(deliveries.length, 1, 'only the outcome is recorded')
  t.match(deliveries[0], { ok: false, status: 500, attempt: 6, outcome: 'exhausted' })
  t.match(await view(admin, endpoint.id), { failureCount: 1, enabled: true, lastDeliveryStatus: 500 })
  t.match((await admin.call('GET', '?failing=true')).body, { total: 1, endpoints: [{ id: endpoint.id }] })
  t.match((await admin.call('GET', '/stats')).body, { failing: 1, queue: { size: 0, inFlight: 0 } })
})

t.test('twenty failures in a row: disabled, told once; enabled again it starts anew', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL })
  const admin = await app.login()
  const { endpoint } = await admin.register(`${app.sink}/status/404`)
  for (let time = 1; time < 20; time += 1) {
    app.record()
    await until(async () => ((await view(admin, endpoint.id)).failureCount === time ? true : null), `failure ${time}`)
  }
  t.equal(disablings(app), 0)
  for (let time = 0; time < 8; time += 1) app.record()
  await until(async () => ((await view(admin, endpoint.id)).enabled ? null : true), 'the end')
  await until(async () => ((await admin.call('GET', '/stats')).body.queue.inFlight === 0 ? true : null), 'quiet')
  t.equal(disablings(app), 1)
  t.match((await admin.call('GET', '?enabled=false')).body.endpoints, [{ id: endpoint.id }])

  await admin.call('PATCH', `/${endpoint.id}`, { url: `${app.sink}/status/200`, enabled: true })
  app.record()
  await until(async () => ((await view(admin, endpoint.id)).lastDeliveryStatus === 200 ? true : null), 'a success')
  t.match(await view(admin, endpoint.id), { enabled: true, failureCount: 0 })
})

t.test(
  'rotation: the old secret is over at once; disabled meanwhile, nothing is lost to a wrong signature',
  async (t) => {
    const app = await HookedApp.start(t, { webhooks: LOCAL })
    const admin = await app.login()
    const made = await admin.register(app.sink)
    const { id } = made.endpoint
    const sinkOf = (secret: string) => `${app.sink}?secret=${encodeURIComponent(secret)}`
    await admin.call('PATCH', `/${id}`, { url: sinkOf(made.secret) })
    app.record()
    t.match(await messages(app, 1), [{ verified: true }])

    const { secret } = (await admin.call('POST', `/${id}/rotate`)).body
    app.record()
    t.match((await messages(app, 2))[0], { verified: false, status: 401 }, 'the receiver still has the old one')
    t.equal((await admin.call('POST', `/${id}/reveal`)).body.secret, secret)
    t.equal((await admin.call('GET', `/${id}/reveal`)).status, 404)

    // Without a gap: disable, rotate, deploy, enable.
    await admin.call('PATCH', `/${id}`, { enabled: false })
    const next = (await admin.call('POST', `/${id}/rotate`)).body.secret
    app.record()
    await admin.call('PATCH', `/${id}`, { url: sinkOf(next), enabled: true })
    app.record()
    t.match((await messages(app, 3))[0], { verified: true, status: 200 })
    t.equal((await app.received()).length, 3, 'what happened meanwhile was not sent')
    t.equal((await view(admin, id)).failureCount, 0)
  }
)

t.test('after a restart endpoints are there, their history is not', async (t) => {
  const clock = new ManualClock()
  const database = `${t.testdir({})}/shop.db`
  const first = await HookedApp.start(t, { webhooks: LOCAL, database, clock })
  const admin = await first.login()
  const { endpoint, secret } = await admin.register(`${first.sink}/status/200`)
  first.record()
  await until(async () => {
    const { body } = await admin.call('GET', `/${endpoint.id}/deliveries`)
    return body.deliveries.length === 1 ? true : null
  }, 'the delivery')
  await first.fastify.close()

  const second = await HookedApp.start(t, { webhooks: LOCAL, database, clock })
  const again = await second.login()
  t.match(await view(again, endpoint.id), { id: endpoint.id, lastDeliveryStatus: 200 })
  const nothing = { waiting: 0, sending: 0, nextAt: null, next: [] }
  const { body } = await again.call('GET', `/${endpoint.id}/deliveries`)
  t.strictSame(body, { deliveries: [], nextCursor: null, pending: nothing })
  t.equal((await again.call('POST', `/${endpoint.id}/reveal`)).body.secret, secret)
  await again.call('PATCH', `/${endpoint.id}`, { url: `${second.sink}/status/204` })
  second.record()
  t.match(await messages(second, 1), [{ status: 204 }])
  t.equal((await again.call('DELETE', `/${endpoint.id}`)).status, 200)
  t.equal((await again.call('GET', `/${endpoint.id}`)).status, 404)
})

t.test('two instances on one database: what one registers the other delivers, once its view is old', async (t) => {
  const clock = new ManualClock()
  const database = `${t.testdir({})}/shop.db`
  const [here, there] = [
    await HookedApp.start(t, { webhooks: LOCAL, database, clock }),
    await HookedApp.start(t, { webhooks: LOCAL, database, clock })
  ]
  const admin = await here.login()
  const { endpoint } = await admin.register(`${here.sink}/status/404`)
  there.record()
  clock.advance(30_000)
  there.record()
  there.record()
  await until(async () => {
    there.record()
    return (await here.received()).length > 0 ? true : null
  }, 'a delivery from the other instance')

  for (let time = 0; time < 30; time += 1) {
    here.record()
    there.record()
  }
  await until(async () => ((await view(admin, endpoint.id)).enabled ? null : true), 'the end')
  for (const app of [here, there]) {
    await until(async () => {
      const { inFlight, size } = (await app.fastify.webhooks.stats()).queue
      return inFlight + size === 0 ? true : null
    }, 'quiet')
  }
  t.equal(disablings(here) + disablings(there), 1, 'one of the two has told it')
})

t.test('closing with retries that wait leaves no timer behind and says what is lost', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL })
  const admin = await app.login()
  await admin.register(`${app.sink}/status/503`)
  for (let time = 0; time < 3; time += 1) app.record()
  await messages(app, 3)
  await until(async () => {
    const { queue } = (await admin.call('GET', '/stats')).body
    return queue.size === 3 && queue.inFlight === 0 ? true : null
  }, 'three retries')
  await app.fastify.close()
  t.equal(app.clock.pending, 0)
  t.ok(app.lines.some(({ msg }) => msg === 'webhook deliveries: draining 0, dropping 3 that are waiting'))
  t.match(
    app.lines.find(({ code }) => code === 'SVC_WEBHOOKS_LOST'),
    { lost: 3 }
  )
})

t.test('Ctrl-C while a delivery is under way and others wait: told, and over within the bound', async (t) => {
  const shop = await hookedShop(t)
  const dev = await shop.dev()
  const call = await administrator(shop)
  for (const path of ['slow?ms=1500', 'status/503']) {
    const url = `${shop.url}/svc/test/webhooks/sink/${path}`
    t.equal((await call('POST', '/webhooks', { url, events: ['login.failure'] })).status, 201)
  }
  t.equal(await guess(shop), 401)
  await until(async () => {
    const { queue } = (await call('GET', '/webhooks/stats')).body
    return queue.inFlight === 1 && queue.size === 1 ? true : null
  }, 'one under way and one that waits')
  const { code } = await dev.stop('SIGINT')
  t.equal(code, 0)
  t.match(dev.output, /webhook deliveries: draining 1, dropping 1 that are waiting/)
})
