/** Requests as administrators see them: who decided what and why, what each caused, and nothing that proves who somebody is. */
import { join } from 'node:path'
import { guardHooks, requestChannels } from 'svc-kernel'
import { routeSecurity } from 'svc-kernel/plugin'
import svcOps from 'svc-ops'
import svcRealtime from 'svc-realtime'
import t from 'tap'
import { type Admin, HookedApp, type Json, LOCAL } from '../support/hooked-app.ts'
import { RpcSocket } from '../support/rpc-socket.ts'
import { until } from '../support/until.ts'

const requirement = [[{ attribute: 'ROLE_USER' }]]

/** Routes of the application, in its own scope's root. */
const routes = Object.assign(
  async (fastify: HookedApp['fastify']) => {
    const svc = routeSecurity('Orders.buy', { requirement })
    fastify.post('/in/orders/:id', { ...guardHooks(requirement), config: { svc } }, async () => {
      fastify.realtime.publish('orders', { bought: true })
      fastify.audit.record({ category: 'config', action: 'config.update', outcome: 'success', actor: 'root' })
      return { bought: true }
    })
    fastify.get('/in/fails/:token', async () => {
      throw Object.assign(new Error('broken'), { code: 'SVC_TEST_BROKEN' })
    })
  },
  { [Symbol.for('skip-override')]: true }
)

const areas = {
  in: { pattern: '^/in', authenticators: ['session'] },
  live: { pattern: '^/svc/realtime', authenticators: ['session'] }
}

async function ask(admin: Admin, path: string): Promise<Json> {
  return JSON.parse((await admin.browser.call('GET', `/svc/ops/api${path}`)).body)
}

t.test('a request with its zone, votes, statements, events, messages and deliveries', async (t) => {
  const app = await HookedApp.start(t, {
    webhooks: LOCAL,
    database: join(t.testdir(), 'app.db'),
    areas,
    modules: [svcRealtime, svcOps, routes]
  })
  const admin = await app.login()
  const plain = await app.login('paul')
  await admin.register(`${app.sink}/status/200`)
  const list = (query = ''): Promise<Json> => ask(admin, `/requests${query}`)
  const csrf = await plain.browser.csrf()

  const { cookie } = admin.browser
  const socket = await RpcSocket.open(app.port, { cookie, origin: `http://127.0.0.1:${app.port}` })
  await socket.call('channel.subscribe', { channel: 'svc:requests' })
  const sent = { ...csrf, 'content-type': 'application/json' }
  t.equal((await plain.browser.call('POST', '/in/orders/7?token=hunter2&page=2', sent, '{}')).status, 200)
  const heard = await until(async () => {
    const { method, params } = await socket.next()
    return method === 'channel.message' ? (params ?? null) : null
  }, 'the request')
  t.match(heard, { data: { url: '/in/orders/7?token=[redacted]&page=2', user: 'paul' } })
  await socket.client.close()

  const { items } = await list('?route=/in/orders')
  t.match(items, [
    { route: '/in/orders/:id', handler: 'Orders.buy', status: 200, user: 'paul', zone: 'in', messages: 1 }
  ])
  const whole = () => ask(admin, `/requests/${items[0].id}`)
  const record = await whole()
  t.match(record, {
    admission: { zone: 'in', authenticator: 'session', outcome: 'accepted', tokenType: 'session' },
    decisions: [{ attribute: 'ROLE_USER', granted: true, votes: [{ voter: 'role', vote: 'GRANT' }] }],
    events: [{ action: 'config.update' }],
    messages: [{ channel: 'orders', count: 1 }],
    error: null,
    omitted: 0
  })
  t.match(
    record.statements.find(({ kind }: Json) => kind === 'select'),
    { connector: 'default', table: /svc_session/, failed: false }
  )
  const { admitted, guarded, parsed, validated, handled } = record.phases
  const order = [0, admitted, guarded, parsed, validated, handled, record.durationMs]
  t.strictSame(
    order,
    [...order].sort((a, b) => a - b),
    'the phases follow each other'
  )
  const delivered = await until(async () => {
    const { deliveries } = await whole()
    return deliveries[0]?.state === 'delivered' ? deliveries[0] : null
  }, 'a delivery')
  t.match(delivered, { eventId: record.events[0].id, messageId: /^msg_/, attempts: 1, status: 200 })

  const text = JSON.stringify(await list('?limit=200')) + JSON.stringify(record)
  for (const secret of ['hunter2', cookie.split('=')[1] as string, ...Object.values(csrf)]) {
    t.notMatch(text, secret.slice(0, 20), 'no secret is kept')
  }
  t.equal(record.headers.cookie, '[redacted]')
})

t.test('refusals say why; who looks is not in the list, who may not look is', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL, areas, modules: [svcRealtime, [svcOps, {}], routes] })
  const admin = await app.login()
  const plain = await app.login('paul')
  await app.fastify.inject('/in/fails/hunter2')
  await plain.browser.call('GET', '/in/fails/hunter2')
  t.equal((await plain.browser.call('GET', '/svc/ops/api/requests')).status, 403)
  const refused = await app.fastify.inject('/svc/ops/api/requests')
  t.equal(refused.statusCode, 401)
  const list = async (query: string) => (await ask(admin, `/requests${query}`)).items
  t.match(await list('?route=/in/fails&status=4xx'), [{ status: 401, zone: 'in', authenticator: null, user: null }])
  const [failed] = await list('?error=SVC_TEST_BROKEN')
  t.match(failed, { status: 500, url: '/in/fails/[redacted]', user: 'paul' })
  const denied = await list('?route=/svc/ops/api&user=paul')
  t.match(denied, [{ status: 403, error: 'SVC_SEC_DENIED' }])
  t.match(await ask(admin, `/requests/${denied[0].id}`), {
    decisions: [{ attribute: 'ROLE_SVC_ADMIN', granted: false, reason: 'abstain', votes: [{ voter: 'role' }] }],
    phases: { parsed: null }
  })
  t.strictSame(await list('?route=/svc/ops/api&user=admin'), [])
  t.match(await ask(admin, '/requests/nothing'), { statusCode: 404, code: 'SVC_OPS_REQUEST_UNKNOWN' })
})

t.test('in production nothing is recorded unless that is asked for', async (t) => {
  const app = await HookedApp.start(t, {
    webhooks: LOCAL,
    areas,
    mode: 'production',
    modules: [svcRealtime, svcOps, routes]
  })
  for (const { name, hasSubscribers } of Object.values(requestChannels)) t.notOk(hasSubscribers, name)
  const admin = await app.login()
  t.match(await ask(admin, '/requests'), { statusCode: 404, code: 'SVC_OPS_REQUESTS_OFF' })
})
