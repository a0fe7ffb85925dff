/** The plugin by itself on a bare Fastify: closed to everybody, and gone without a trace. */
import Fastify from 'fastify'
import t from 'tap'
import svcWebhooks from '../src/index.ts'
import { API, KEY } from './support/admin-app.ts'

t.test('registers alone, with what it needs', async (t) => {
  const fastify = Fastify()
  await fastify.register(svcWebhooks, { encryptionKey: KEY })
  await fastify.ready()
  t.ok(fastify.hasDecorator('webhooks') && fastify.hasDecorator('stores') && fastify.hasDecorator('accessGate'))
  t.equal(fastify.webhooks.enabled, true)
  t.equal((await fastify.inject(API)).statusCode, 403, 'nobody is let in')
  await fastify.close()
})

t.test('a bare application counts as production: no key, no webhooks', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcWebhooks)
  t.equal(fastify.webhooks.enabled, false)
  t.match(fastify.webhooks.closedBecause, /encryptionKey is missing/)
})

t.test('from code: outside a request nobody is the creator', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const lookup = async () => [{ address: '192.31.196.1', family: 4 }]
  await fastify.register(svcWebhooks, { encryptionKey: KEY, parts: { lookup } })
  const { endpoint, secret } = await fastify.webhooks.create({ url: 'https://a.example/', events: ['login.*'] })
  t.equal(endpoint.createdBy, null)
  t.equal(await fastify.webhooks.reveal(endpoint.id), secret)
  t.match(await fastify.webhooks.list({ q: 'A.EXAMPLE' }), { total: 1, driver: 'memory' })
  t.match(await fastify.webhooks.update(endpoint.id, { enabled: false }), { enabled: false })
  const foreign = JSON.parse('{"secretEnc":"mine","failureCount":7,"description":"d"}') as object
  t.match(await fastify.webhooks.update(endpoint.id, foreign), { description: 'd', failureCount: 0 })
  t.equal(await fastify.webhooks.reveal(endpoint.id), secret, 'a patch sets no secret')
  const none = JSON.parse('{"url":"https://a.example/"}') as { url: string; events: string[] }
  await t.rejects(fastify.webhooks.create(none), { code: 'SVC_WEBHOOKS_BAD_EVENTS' })
  t.match(await fastify.webhooks.stats(), { total: 1, active: 0, disabled: 1 })
  await fastify.webhooks.remove(endpoint.id)
  await t.rejects(fastify.webhooks.find(endpoint.id), { code: 'SVC_WEBHOOKS_UNKNOWN' })
})
