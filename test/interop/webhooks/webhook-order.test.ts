/** svc-webhooks on a bare Fastify, before and after the plugins it works with. */
import Fastify from 'fastify'
import svcAudit from 'svc-audit'
import svcSecurity from 'svc-security'
import svcWebhooks from 'svc-webhooks'
import t, { type Test } from 'tap'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'

const OPTIONS = { allowHttp: true, denyPrivateIps: false, encryptionKey: Buffer.alloc(32, 7).toString('base64') }
const REFUSAL = { category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'alice' } as const

async function bare(t: Test, order: readonly ('audit' | 'webhooks')[], waiting: boolean) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  for (const name of order) {
    const registered = name === 'audit' ? fastify.register(svcAudit) : fastify.register(svcWebhooks, OPTIONS)
    if (waiting) await registered
  }
  await fastify.ready()
  return fastify
}

for (const order of [
  ['webhooks', 'audit'],
  ['audit', 'webhooks']
] as const) {
  for (const waiting of [true, false]) {
    t.test(`W1: ${order.join(' before ')}, ${waiting ? 'waiting for each' : 'not waiting'}: it delivers`, async (t) => {
      const receiver = await WebhookReceiver.start(t)
      const fastify = await bare(t, order, waiting)
      const { endpoint } = await fastify.webhooks.create({ url: receiver.url('/in'), events: ['login.*', 'logni.*'] })
      t.match(endpoint.warnings, [/logni/], 'the catalogue is known')
      t.ok(fastify.audit.recent(10).some(({ action }) => action === 'webhook.created'))
      fastify.audit.record(REFUSAL)
      await receiver.until(() => receiver.received.length === 1)
      t.match(JSON.parse(String(receiver.received[0]?.body)), { type: 'login.failure' })
      t.equal(fastify.apiDescriptions.length, 1)
      t.match(await fastify.webhooks.sendTest(endpoint.id), { messageId: /^msg_/ })
    })
  }
}

t.test('W1: before svc-security with accounts it does not boot: its changes would go without CSRF', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const users = { findByIdentifier: async () => null }
  await fastify.register(svcWebhooks, OPTIONS)
  await fastify.register(svcSecurity, { areas: {}, parts: { users }, session: {} })
  await t.rejects(Promise.resolve(fastify.ready()), { code: 'SVC_WEBHOOKS_EARLY' })
})
