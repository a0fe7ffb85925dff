/** Webhook endpoints without the framework's model: kept and counted, but not listed by pages. */
import { systemClock } from 'svc-kernel'
import { webhooksStore } from 'svc-webhooks/stores'
import t from 'tap'
import { application } from '../support/application.ts'
import { documents } from '../support/documents.ts'

const ENDPOINT = {
  id: 'wh_1',
  url: 'https://receiver.example/',
  secretEnc: 'gcm1.',
  events: ['logout'],
  enabled: true,
  description: null,
  tenantId: null,
  createdBy: null,
  metadata: {}
}

t.test('a webhook store without its native model', async (t) => {
  const { uri } = await documents(t)
  const fastify = await application(t, { options: { connectors: { svc: { uri } }, frameworkEntities: false } })
  const store = webhooksStore.open(fastify.docdb.database(), { clock: systemClock })
  await fastify.ready()
  await store.create(ENDPOINT)

  await t.test('keeps, counts and disables', async (t) => {
    t.match(await store.find('wh_1'), ENDPOINT)
    t.equal(await store.recordFailure('wh_1', 500, 'refused'), 1)
    t.ok(await store.disable('wh_1', 1))
    t.notOk(await store.disable('wh_1', 1))
    t.strictSame(await store.stats({}), { total: 1, active: 0, disabled: 1, failing: 1 })
    t.strictSame(await store.enabled(), [])
  })

  await t.test('refuses a page rather than read the whole collection', async (t) => {
    await t.rejects(store.list({}, {}), { code: 'SVC_DOCDB_NO_NATIVE_MODEL', statusCode: 501 })
    await t.rejects(store.list({}, { limit: 0 }), { code: 'SVC_STORE_PAGE' }, 'a wrong page stays wrong')
  })

  await t.test('has made neither model nor indexes', async (t) => {
    t.strictSame(fastify.docdb.connection().modelNames(), [])
    const indexes = await fastify.mongo.db?.collection('webhook_endpoint').indexes()
    t.strictSame(
      indexes?.map(({ name }) => name),
      ['_id_']
    )
  })

  t.throws(() => fastify.docdb.database('other', { native: false }), { code: 'SVC_DOCDB_UNKNOWN_CONNECTION' })
})
