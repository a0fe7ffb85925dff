/** Without a key, a store or the switch: reads are empty, changes 503, and the reason is told the same everywhere. */
import t, { type Test } from 'tap'
import { type AdminAppParts, adminApp, letIn } from './support/admin-app.ts'

const GIVEN = { url: 'https://a.example/', events: ['*'] }

const offs: [name: string, parts: AdminAppParts, reason: RegExp, code: string | null][] = [
  ['the switch', { options: { enabled: false } }, /enabled is false/, null],
  ['no key in production', { mode: 'production', keyed: false }, /encryptionKey is missing/, 'SVC_WEBHOOK_KEY_MISSING'],
  [
    'an unknown store in development',
    { mode: 'development', options: { store: 'docdb' } },
    /the store "docdb" is unknown/,
    'SVC_STORE_UNKNOWN'
  ]
]

async function off(t: Test, parts: AdminAppParts) {
  const app = await adminApp(t, parts)
  letIn(app.fastify)
  return app
}

for (const [name, parts, reason, code] of offs) {
  t.test(`W8: ${name}`, async (t) => {
    const { fastify, call, lines } = await off(t, parts)
    await fastify.ready()
    t.equal(fastify.webhooks.enabled, false)
    t.match(fastify.webhooks.closedBecause, reason)
    if (code !== null)
      t.ok(
        lines.some((line) => line.code === code),
        'the log says so'
      )

    t.strictSame((await call('GET', '?limit=3&offset=1')).body, {
      enabled: false,
      driver: null,
      endpoints: [],
      total: 0,
      limit: 3,
      offset: 1,
      hasNext: false
    })
    t.match((await call('GET', '/stats')).body, { enabled: false, total: 0, queue: { size: 0 } })
    t.match((await call('GET', '/event-types')).body, { enabled: false })
    const one = await call('GET', '/wh_x')
    t.strictSame([one.status, one.body], [200, { enabled: false }])
    const deliveries = await call('GET', '/wh_x/deliveries')
    t.strictSame([deliveries.status, deliveries.body], [200, { enabled: false, deliveries: [] }])
    for (const [method, path, body] of [
      ['POST', '', GIVEN],
      ['PATCH', '/wh_x', { enabled: true }],
      ['DELETE', '/wh_x', undefined],
      ['POST', '/wh_x/rotate', undefined],
      ['POST', '/wh_x/reveal', undefined],
      ['POST', '/wh_x/test', undefined],
      ['POST', '/wh_x/deliveries/msg_x/resend', undefined]
    ] as const) {
      const answer = await call(method, path, body)
      t.strictSame([answer.status, answer.body.code], [503, 'SVC_WEBHOOKS_UNAVAILABLE'], `${method} ${path}`)
      t.match(answer.body.message, reason, 'the same sentence')
    }
  })
}

t.test('without a journal endpoints are kept, and nothing is delivered', async (t) => {
  const { call, lines, fastify } = await off(t, { audit: false })
  await fastify.ready()
  t.ok(lines.some(({ msg }) => String(msg).includes('svc-audit is not registered')))
  const { id } = (await call('POST', '', GIVEN)).body.endpoint
  t.match((await call('GET')).body, { enabled: true, total: 1 })
  t.strictSame((await call('GET', `/${id}/deliveries`)).body, { nextCursor: null, pending: null, deliveries: [] })
  const test = await call('POST', `/${id}/test`)
  t.strictSame(
    [test.status, test.body.message],
    [503, 'webhooks are not delivered, because svc-audit is not registered']
  )
  t.match((await call('GET', '/event-types')).body, { eventTypes: [], signature: { toleranceS: 300 } })
  t.strictSame(fastify.apiDescriptions, [])
})
