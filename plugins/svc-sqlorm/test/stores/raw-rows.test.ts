/** What lies in the table of endpoints. Other programs read these rows too. */
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'
import svcStores from 'svc-stores'
import { aWebhook } from 'svc-webhooks/conformance'
import { webhooksStore } from 'svc-webhooks/stores'
import t from 'tap'
import svcSqlorm from '../../src/index.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

t.test('an endpoint: lists and objects are JSON, times are integers', async (t) => {
  const file = `${temporaryFolder(t)}/app.db`
  const fastify = Fastify()
  await fastify.register(svcStores)
  await fastify.register(svcSqlorm, { connectors: { main: { url: `sqlite:${file}` } } })
  const { store } = fastify.stores.select(webhooksStore, 'sqlorm')
  await fastify.ready()
  await store?.create(aWebhook())
  await store?.recordFailure('wh_1', 500, 'server error')
  await fastify.close()

  const database = new DatabaseSync(file)
  t.teardown(() => database.close())
  const types = ['id', 'events', 'metadata', 'createdAt', 'updatedAt', 'lastDeliveryAt', 'failureCount'].map((name) => {
    return `${name === 'events' || name === 'metadata' ? 'json_type' : 'typeof'}("${name}") as "${name}"`
  })
  t.strictSame(
    { ...database.prepare(`select ${types.join(', ')} from svc_webhook_endpoint`).get() },
    {
      id: 'text',
      events: 'array',
      metadata: 'object',
      createdAt: 'integer',
      updatedAt: 'integer',
      lastDeliveryAt: 'integer',
      failureCount: 'integer'
    }
  )
})
