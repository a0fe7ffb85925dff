/** J10: registering a webhook, and the mistakes people make on the way. */
import t from 'tap'
import { Browser } from '../support/account-app.ts'
import { HookedApp, LOCAL, WEBHOOKS } from '../support/hooked-app.ts'
import { Shop } from '../support/shop.ts'

const order = (url: string, events = ['login.*']) => ({ url, events, description: 'local' })

t.test('who may look: nobody without a login, no plain user, administrators', async (t) => {
  const app = await HookedApp.start(t)
  t.equal((await new Browser(app.port).call('GET', WEBHOOKS)).status, 401)
  t.equal((await (await app.login('paul')).call('GET')).status, 403)
  const admin = await app.login()
  t.match((await admin.call('GET')).body, { enabled: true, driver: 'memory', endpoints: [], limit: 50 })
  t.equal((await admin.call('GET', '?limit=500')).body.limit, 200)
  const sorted = await admin.call('GET', '?sort=lastDeliveryAt')
  t.equal(sorted.status, 400)
  t.match(sorted.body.message, 'createdAt, updatedAt, url, enabled, failureCount, id')
})

t.test('a receiver on the same machine: refused, for each of two reasons, until both are lifted', async (t) => {
  const strict = await HookedApp.start(t)
  const plain = await (await strict.login()).call('POST', '', order(strict.sink))
  t.equal(plain.status, 422)
  t.match(plain.body, { code: 'SVC_WEBHOOKS_URL_REFUSED', message: /use https, or http with .*allowHttp/ })

  const http = await HookedApp.start(t, { webhooks: { allowHttp: true } })
  const inside = await (await http.login()).call('POST', '', order(http.sink))
  t.equal(inside.status, 422)
  t.match(inside.body.message, /public addresses/)

  const named = await HookedApp.start(t, { webhooks: { allowHttp: true, allowCidrs: ['127.0.0.0/8'] } })
  t.equal((await (await named.login()).call('POST', '', order(named.sink))).status, 201, 'or their network is named')

  const local = await HookedApp.start(t, { webhooks: LOCAL })
  const admin = await local.login()
  const made = await admin.call('POST', '', order(local.sink))
  t.equal(made.status, 201)
  t.match(made.body.secret, /^whsec_/)
  const { id } = made.body.endpoint
  for (const path of ['', `/${id}`, `/${id}/deliveries`, '/stats', '/event-types']) {
    t.notOk((await admin.call('GET', path)).text.includes(made.body.secret), `no secret in GET ${path}`)
  }
  const created = local.fastify.audit.recent(50).find(({ action }) => action === 'webhook.created')
  t.match(created, { actor: 'admin', resource: id, ip: '127.0.0.1' })
})

t.test('without the token of the session: 403 that names the header', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL })
  const { browser } = await app.login()
  const answer = await browser.post(WEBHOOKS, order(app.sink))
  t.equal(answer.status, 403)
  t.match(answer.body, /x-csrf-token/)
  const foreign = await (await app.login()).call('POST', '', order(app.sink), { origin: 'https://evil.example' })
  t.equal(foreign.status, 403, 'nor from a foreign page')
})

t.test('asked twice under one key: one endpoint, and the same answer, secret included', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL })
  const admin = await app.login()
  const key = { 'idempotency-key': 'journey-10' }
  const first = await admin.call('POST', '', order(app.sink), key)
  const again = await admin.call('POST', '', order(app.sink), key)
  t.strictSame([again.status, again.body], [201, first.body])
  t.equal(again.headers['idempotency-replayed'], 'true')
  t.equal(again.headers.location, first.headers.location)
  t.equal((await admin.call('POST', '', order(app.sink, ['*']), key)).status, 422, 'another body under the same key')
  t.equal((await admin.call('GET')).body.total, 1)
  const { id } = first.body.endpoint
  t.equal((await admin.call('DELETE', `/${id}`, undefined, { 'idempotency-key': 'k2' })).status, 200)
  t.equal((await admin.call('DELETE', `/${id}`, undefined, { 'idempotency-key': 'k2' })).status, 200, 'replayed')
  t.equal((await admin.call('DELETE', `/${id}`)).status, 404)
})

t.test('events that will never come are pointed at', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL })
  const admin = await app.login()
  const { endpoint } = await admin.register(app.sink, ['login.*', 'order.paid', 'webhook.*'])
  t.strictSame(endpoint.warnings, [
    '"order.paid" matches no known audit action; webhooks carry audit events only',
    '"webhook.*" is never delivered: events about webhooks are not sent by webhook'
  ])
  t.strictSame((await admin.call('GET', `/${endpoint.id}`)).body.warnings, endpoint.warnings)
  const types = (await admin.call('GET', '/event-types')).body.eventTypes
  t.ok(types.some(({ type }: { type: string }) => type === 'access.denied'))
})

t.test('production without a key: told at boot, empty lists, 503 with the same sentence', async (t) => {
  const app = await HookedApp.start(t, { mode: 'production', keyed: false })
  const told = app.lines.find(({ code }) => code === 'SVC_WEBHOOK_KEY_MISSING')
  t.match(told, {
    at: 'svc-webhooks.encryptionKey',
    expected: /32 random bytes/,
    fix: /openssl rand/,
    more: /npx svc docs webhooks/
  })
  const admin = await app.login()
  t.match((await admin.call('GET')).body, { enabled: false, endpoints: [] })
  const refused = await admin.call('POST', '', order('https://a.example/'))
  t.strictSame([refused.status, refused.body.message], [503, told?.msg])
})

t.test('a key of the wrong length stops the boot and says how long it is', async (t) => {
  const webhooks = { encryptionKey: Buffer.alloc(16).toString('base64') }
  await t.rejects(HookedApp.start(t, { webhooks }), { code: 'SVC_WEBHOOK_KEY_INVALID', message: /decodes to 16 bytes/ })
})

t.test('in an application of its own: development makes a key and says what that means', async (t) => {
  const shop = await Shop.create(t)
  await shop.edit(
    'svc.config.ts',
    "import svcSecurity from 'svc-security'",
    [
      "import svcAudit from 'svc-audit'",
      "import svcSecurity from 'svc-security'",
      "import svcWebhooks from 'svc-webhooks'"
    ].join('\n')
  )
  await shop.edit('svc.config.ts', 'modules: [', 'modules: [\n    svcAudit,')
  await shop.edit('svc.config.ts', '    // Every exported class', '    [svcWebhooks, {}],\n    // Every exported class')
  const dev = await shop.dev()
  t.match(dev.output, /SVC_WEBHOOK_KEY_EPHEMERAL|are unreadable after a restart/)
  t.equal((await shop.get(WEBHOOKS)).status, 403, 'without accounts nobody is an administrator')
  await dev.stop()

  await shop.edit('svc.config.ts', '[svcWebhooks, {}]', "[svcWebhooks, { maxRetires: 3, store: 'mongo' }]")
  const checked = await shop.svc('config:check')
  t.equal(checked.code, 1)
  const report = checked.stdout + checked.stderr
  t.match(report, /svc-webhooks\.maxRetires[\s\S]*maxRetries/)
  t.match(report, /svc-webhooks\.store/)
  t.match(report, /svc\.config\.ts:\d+/)
})

t.test('the API is described: routes, and the messages that receivers get', async (t) => {
  const app = await HookedApp.start(t)
  const [description] = app.fastify.apiDescriptions
  t.ok(description?.webhooks?.['login.failure'])
  t.notOk(description?.webhooks?.['webhook.created'])
})
