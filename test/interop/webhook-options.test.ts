/** Each option of svc-webhooks does what it says, seen from outside. */

import { webhooksStore } from 'svc-webhooks/stores'
import t from 'tap'
import { HookedApp, type Json, LOCAL } from '../support/hooked-app.ts'
import { until } from '../support/until.ts'

/** An application whose endpoint leads to a path of its own receiver. */
async function hooked(t: Parameters<typeof HookedApp.start>[0], path: string, webhooks: object) {
  const app = await HookedApp.start(t, { webhooks: { ...LOCAL, ...webhooks } })
  const admin = await app.login()
  const { endpoint } = await admin.register(`${app.sink}${path}`)
  const view = async (): Promise<Json> => (await admin.call('GET', `/${endpoint.id}`)).body
  const stats = async (): Promise<Json> => (await admin.call('GET', '/stats')).body
  const deliveries = async (): Promise<Json[]> =>
    (await admin.call('GET', `/${endpoint.id}/deliveries`)).body.deliveries
  return { app, admin, endpoint, view, stats, deliveries }
}

t.test('maxRetries: 0 sends once', async (t) => {
  const { app, deliveries } = await hooked(t, '/status/500', { maxRetries: 0 })
  app.record()
  const [record] = await until(async () => ((await deliveries()).length === 1 ? deliveries() : null), 'the record')
  t.match(record, { ok: false, status: 500, attempt: 1 })
  t.equal((await app.received()).length, 1)
})

t.test('autoDisableThreshold: 1 disables at the first failure, 0 never', async (t) => {
  const once = await hooked(t, '/status/404', { autoDisableThreshold: 1 })
  once.app.record()
  await until(async () => ((await once.view()).enabled ? null : true), 'the end')

  const never = await hooked(t, '/status/404', { autoDisableThreshold: 0 })
  for (let time = 1; time <= 30; time += 1) {
    never.app.record()
    await until(async () => ((await never.view()).failureCount === time ? true : null), `failure ${time}`)
  }
  t.match(await never.view(), { enabled: true, failureCount: 30 })
})

t.test('deliveryTimeoutMs bounds an attempt, on the clock', async (t) => {
  const { app, deliveries } = await hooked(t, '/slow?ms=600000', { deliveryTimeoutMs: 700, maxRetries: 0 })
  app.record()
  await until(async () => ((await app.received()).length === 1 ? true : null), 'the message')
  app.clock.advance(699)
  t.strictSame(await deliveries(), [])
  app.clock.advance(1)
  const [record] = await until(async () => ((await deliveries()).length === 1 ? deliveries() : null), 'the record')
  t.match(record, { ok: false, status: null, error: 'timeout', durationMs: 700 })
})

t.test('maxQueue: what does not fit is dropped, counted per endpoint and in all', async (t) => {
  const { app, view, stats } = await hooked(t, '/slow?ms=600000', { maxQueue: 5 })
  for (let time = 0; time < 12; time += 1) app.record()
  t.equal((await view()).dropped, 7)
  t.match(await stats(), { queue: { dropped: 7 } })
  t.ok(app.lines.some(({ code }) => code === 'SVC_WEBHOOKS_DROPPED'))
})

t.test('maxConcurrent: 1 has one attempt under way', async (t) => {
  const { app, stats } = await hooked(t, '/slow?ms=600000', { maxConcurrent: 1 })
  for (let time = 0; time < 3; time += 1) app.record()
  await until(async () => ((await app.received()).length === 1 ? true : null), 'the message')
  t.match(await stats(), { queue: { inFlight: 1, size: 2 } })
})

t.test('snapshotTtlS: when the store is looked at again for what others enabled', async (t) => {
  for (const snapshotTtlS of [0, 7]) {
    const { app, admin, endpoint } = await hooked(t, '/status/200', { snapshotTtlS })
    await admin.call('PATCH', `/${endpoint.id}`, { enabled: false })
    const { store } = app.fastify.stores.select(webhooksStore, 'auto')
    await store?.update(endpoint.id, { enabled: true })
    if (snapshotTtlS > 0) {
      app.clock.advance(snapshotTtlS * 1000 - 1)
      for (let time = 0; time < 20; time += 1) {
        app.record()
        await new Promise((resume) => setImmediate(resume))
      }
      t.match((await app.fastify.webhooks.stats()).queue, { size: 0, inFlight: 0 }, 'not before')
      t.strictSame(await app.received(), [])
    }
    app.clock.advance(1)
    await until(async () => {
      app.record()
      return (await app.received()).length > 0 ? true : null
    }, `a delivery with a view of ${snapshotTtlS} s`)
  }
})

t.test('timestampToleranceS is told to receivers and never applied', async (t) => {
  const { app, admin } = await hooked(t, '/status/200', { timestampToleranceS: 42 })
  t.match((await admin.call('GET', '/event-types')).body.signature, {
    toleranceS: 42,
    algorithm: 'sha256',
    version: 'v1'
  })
  t.match(JSON.stringify(app.fastify.apiDescriptions), '42 s')

  const brief = await hooked(t, '/status/500', { timestampToleranceS: 1 })
  brief.app.record()
  for (const [sends, waitS] of [5, 10, 20].entries()) {
    await until(async () => ((await brief.app.received()).length > sends ? true : null), `attempt ${sends + 1}`)
    await until(async () => ((await brief.stats()).queue.inFlight === 0 ? true : null), 'its end')
    brief.app.clock.advance(waitS * 1000)
  }
  await until(async () => ((await brief.app.received()).length === 4 ? true : null), 'a retry of an event 35 s old')
})
