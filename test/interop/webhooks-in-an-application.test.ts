/** Webhooks among the other plugins: over the realtime socket, in the metrics, in the description of the API. */
import svcOps, { WEBHOOK_CHANNELS } from 'svc-ops'
import svcRealtime from 'svc-realtime'
import { DELIVERY_CHANNELS } from 'svc-webhooks'
import t from 'tap'
import { HookedApp, LOCAL, WEBHOOKS } from '../support/hooked-app.ts'
import { RpcSocket } from '../support/rpc-socket.ts'
import { until } from '../support/until.ts'

const SOCKET_ZONE = { live: { pattern: '^/svc/realtime', authenticators: ['session'] } }

async function socketOf(app: HookedApp, name: string): Promise<RpcSocket> {
  const { browser } = await app.login(name)
  const headers = { cookie: browser.cookie, origin: `http://127.0.0.1:${app.port}` }
  return RpcSocket.open(app.port, headers)
}

t.test('over the realtime socket: reads as they are, changes with a key, for administrators', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL, areas: SOCKET_ZONE, modules: [svcRealtime] })
  const socket = await socketOf(app, 'admin')
  const ask = (method: string, path: string, more: object = {}) =>
    socket.call('api.request', { method, path: `${WEBHOOKS}${path}`, ...more })

  t.match(await ask('GET', ''), { result: { status: 200, body: { enabled: true, total: 0 } } })
  const body = { url: app.sink, events: ['*'] }
  t.match(await ask('POST', '', { body }), { error: { code: -32602 } }, 'a change without a key')
  const made = await ask('POST', '', { body, idempotencyKey: 'socket-1' })
  t.match(made, { result: { status: 201, body: { secret: /^whsec_/ } } })
  const again = await ask('POST', '', { body, idempotencyKey: 'socket-1' })
  t.strictSame((again.result as { body: unknown }).body, (made.result as { body: unknown }).body)
  t.match(await ask('GET', ''), { result: { body: { total: 1 } } })
  await socket.client.close()

  const plain = await socketOf(app, 'paul')
  const refused = await plain.call('api.request', { method: 'GET', path: WEBHOOKS })
  t.match(refused, { error: { data: { status: 403 } } })
  await plain.client.close()
})

t.test('W7: a refusal reaches administrators who listen to svc:alerts, in its compact form', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL, areas: SOCKET_ZONE, modules: [svcRealtime] })
  const admin = await socketOf(app, 'admin')
  const channel = 'svc:alerts'
  t.match(await admin.call('channel.subscribe', { channel }), { result: { channel } })
  const plain = await socketOf(app, 'paul')
  t.match(await plain.call('channel.subscribe', { channel }), { error: { data: { status: 403 } } })
  const alert = await until(async () => {
    const { method, params } = await admin.next()
    return method === 'channel.message' ? (params ?? null) : null
  }, 'an alert')
  t.strictSame(alert.data, {
    id: app.fastify.audit.recent(10).find(({ action }) => action === 'access.denied')?.id,
    type: 'access.denied',
    data: { actor: 'paul', outcome: 'denied', reason: 'abstain' }
  })
  await Promise.all([admin.client.close(), plain.client.close()])
})

t.test('the names of the channels are the same on both sides', async (t) => {
  t.strictSame([...WEBHOOK_CHANNELS].sort(), Object.values(DELIVERY_CHANNELS).sort())
})

t.test('deliveries are counted in the application that makes them', async (t) => {
  const counting = () => HookedApp.start(t, { webhooks: LOCAL, modules: [svcOps] })
  const [busy, idle] = [await counting(), await counting()]
  const admin = await busy.login()
  await admin.register(`${busy.sink}/status/200`)
  await admin.register(`${busy.sink}/status/404`)
  await admin.register(`${busy.sink}/status/503`)
  busy.record()
  await until(async () => ((await busy.received()).length === 3 ? true : null), 'three messages')
  const counted = async (app: HookedApp) => {
    const text = await app.fastify.ops.registry.metrics()
    const rows = text.matchAll(/^svc_webhooks_events_total\{event="(\w+)"\} (\d+)$/gm)
    return Object.fromEntries([...rows].map(([, event = '', count]) => [event, Number(count)]))
  }
  await until(async () => {
    const { delivered = 0, failed = 0, retried = 0 } = await counted(busy)
    return delivered + failed + retried === 3 ? true : null
  }, 'three outcomes')
  t.match(await counted(busy), { enqueued: 3, delivered: 1, failed: 1, retried: 1, dropped: 0, disabled: 0 })
  t.match(await counted(idle), { enqueued: 0, delivered: 0, failed: 0, retried: 0 })
  const text = await busy.fastify.ops.registry.metrics()
  t.match(text, 'svc_webhooks_attempt_duration_seconds_count{event="delivered"} 1')
  t.notMatch(text, '127.0.0.1', 'no URL in the metrics')
})

t.test('metrics behind a zone of their own', async (t) => {
  const areas = { ops: { pattern: '^/svc/ops', authenticators: ['session'] } }
  const app = await HookedApp.start(t, { areas, modules: [svcOps] })
  const scrape = async (name?: string) => {
    const cookie = name === undefined ? {} : { cookie: (await app.login(name)).browser.cookie }
    return (await fetch(`http://127.0.0.1:${app.port}/svc/ops/metrics`, { headers: cookie })).status
  }
  t.strictSame([await scrape(), await scrape('paul'), await scrape('admin')], [401, 403, 200])
  t.equal((await fetch(`http://127.0.0.1:${app.port}/svc/ops/health`)).status, 200, 'balancers prove nothing')
})

t.test('the description of the API has an entry per action of the journal', async (t) => {
  const app = await HookedApp.start(t)
  const [description] = app.fastify.apiDescriptions
  const deliverable = [...(app.fastify.audit.catalogue ?? [])].filter(([, { category }]) => category !== 'webhook')
  t.strictSame(
    Object.keys(description?.webhooks ?? {}).sort(),
    [...deliverable.map(([action]) => action), 'webhook.test'].sort()
  )
})

t.test('where webhooks come before svc-security, nobody is let in', async (t) => {
  const { default: Fastify } = await import('fastify')
  const { default: svcWebhooks } = await import('svc-webhooks')
  const { default: svcSecurity } = await import('svc-security')
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcWebhooks)
  await fastify.register(svcSecurity, { areas: {} })
  t.ok([401, 403].includes((await fastify.inject(WEBHOOKS)).statusCode))
})
