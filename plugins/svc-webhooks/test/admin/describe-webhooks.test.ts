/** The OpenAPI section: one entry per deliverable action, whole references, and nothing of webhooks themselves. */
import t from 'tap'
import { describeWebhooks } from '../../src/index.ts'
import { webhookMessage } from '../../src/signature/message.ts'
import { FakeAudit, openApp } from '../support/admin-app.ts'
import { anEvent } from '../support/delivery-fixtures.ts'

const { catalogue } = new FakeAudit()

t.test('an entry per action that is sent', async (t) => {
  const { webhooks = {}, components = {}, tags } = describeWebhooks(catalogue, { toleranceS: 120 })
  t.strictSame(Object.keys(webhooks), ['login.failure', 'login.success', 'webhook.test'])
  t.match(webhooks['login.failure'], {
    post: {
      operationId: 'webhook.login.failure',
      summary: 'a login was refused',
      requestBody: { required: true }
    }
  })
  t.match(JSON.stringify(components), '120 s')
  t.strictSame(
    tags?.map(({ name }) => name),
    ['webhook messages']
  )
})

t.test('what is described is what is sent, key by key', async (t) => {
  const { components } = describeWebhooks(catalogue, { toleranceS: 300 })
  const described = components?.schemas?.SvcWebhooksMessage as { properties: { data: { properties: object } } }
  const sent = JSON.parse(webhookMessage('msg_1', anEvent()).toString()) as { data: object }
  t.strictSame(Object.keys(described.properties), Object.keys(sent))
  t.strictSame(Object.keys(described.properties.data.properties), Object.keys(sent.data))
})

t.test('every reference leads somewhere', async (t) => {
  const description = describeWebhooks(catalogue, { toleranceS: 300 })
  const references = [...JSON.stringify(description).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)]
  t.ok(references.length >= 12)
  for (const [, section = '', name = ''] of references) t.ok(description.components?.[section]?.[name], name)
})

t.test('the plugin hands it to whoever describes the API', async (t) => {
  const { fastify } = await openApp(t, { options: { timestampToleranceS: 60 } })
  await fastify.ready()
  t.strictSame(fastify.apiDescriptions, [describeWebhooks(catalogue, { toleranceS: 60 })])
})

t.test('event types over HTTP', async (t) => {
  const { call } = await openApp(t, { options: { timestampToleranceS: 60 } })
  const { body } = await call('GET', '/event-types')
  t.strictSame(body.eventTypes[0], {
    type: 'login.failure',
    category: 'auth',
    outcomes: ['failure'],
    description: 'a login was refused',
    deliverable: true
  })
  t.match(body.eventTypes.at(-1), { type: 'webhook.test', deliverable: false })
  t.strictSame(body.patterns, ['*', '<action>', '<prefix>.*'])
  t.strictSame(body.signature, {
    version: 'v1',
    algorithm: 'sha256',
    toleranceS: 60,
    headers: ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  })
  t.equal((await call('GET', '/event-types?x=1')).status, 400)
})
