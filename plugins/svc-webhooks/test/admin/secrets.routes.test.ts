/** Secrets: replaced, shown on demand, never by GET, and sealed under a key that may have changed. */
import t from 'tap'
import { webhooksStore } from '../../src/endpoints/endpoint-store.ts'
import { KEY, openApp } from '../support/admin-app.ts'

const GIVEN = { url: 'https://a.example/hook', events: ['*'] }

t.test('rotate: another secret, shown once; reveal shows the one there is', async (t) => {
  const { call, journal } = await openApp(t)
  const made = (await call('POST', '', GIVEN)).body
  const { id } = made.endpoint
  const shown = await call('POST', `/${id}/reveal`)
  t.strictSame([shown.status, shown.body], [200, { secret: made.secret }])
  t.equal(shown.headers['cache-control'], 'no-store')

  const rotated = await call('POST', `/${id}/rotate`)
  t.equal(rotated.status, 200)
  t.equal(rotated.headers['cache-control'], 'no-store')
  t.not(rotated.body.secret, made.secret)
  t.equal(rotated.body.endpoint.id, id)
  t.strictSame((await call('POST', `/${id}/reveal`)).body, { secret: rotated.body.secret }, 'the old one is gone')
  t.strictSame(
    journal.records.map(({ action, resource }) => [action, resource]),
    ['webhook.created', 'webhook.revealed', 'webhook.rotated', 'webhook.revealed'].map((action) => [action, id])
  )
  t.notOk(JSON.stringify(journal.records).includes('whsec_'))
})

t.test('no GET shows a secret', async (t) => {
  const { call } = await openApp(t)
  const { id } = (await call('POST', '', GIVEN)).body.endpoint
  for (const path of ['rotate', 'reveal', 'test']) t.equal((await call('GET', `/${id}/${path}`)).status, 404, path)
})

t.test('a body may be left out or empty; anything in it is refused', async (t) => {
  const { call } = await openApp(t)
  const { id } = (await call('POST', '', GIVEN)).body.endpoint
  t.equal((await call('POST', `/${id}/rotate`, {})).status, 200)
  const declared = { headers: { 'content-type': 'application/json' } }
  t.equal((await call('POST', `/${id}/rotate`, undefined, declared)).status, 200, 'declared, and nothing sent')
  const unfilled = await call('POST', '', undefined, declared)
  t.match(unfilled, { status: 400, body: { code: 'SVC_HTTP_VALIDATION' } }, 'where one is asked for it is missing')
  t.equal(
    (await call('DELETE', `/${(await call('POST', '', GIVEN)).body.endpoint.id}`, undefined, declared)).status,
    200
  )
  t.equal((await call('POST', `/${id}/rotate`, { secret: 'mine' })).status, 400)
  t.equal((await call('POST', `/${id}/rotate?secret=mine`)).status, 400)
  t.equal((await call('POST', `/${id}/reveal`, [])).status, 400)
})

t.test('sealed under another key: 409 that says to rotate, and rotating helps', async (t) => {
  const first = await openApp(t)
  const { id } = (await first.call('POST', '', GIVEN)).body.endpoint
  const { store: webhooks } = first.fastify.stores.select(webhooksStore, 'auto')
  const stores = webhooks === null ? {} : { webhooks }
  const other = { encryptionKey: Buffer.alloc(32, 8).toString('base64'), parts: { stores } }
  const second = await openApp(t, { options: other })
  const refused = await second.call('POST', `/${id}/reveal`)
  t.strictSame([refused.status, refused.body.code], [409, 'SVC_WEBHOOKS_SECRET_UNREADABLE'])
  t.equal(second.journal.records.length, 0, 'nothing was revealed')
  t.equal((await second.call('POST', `/${id}/rotate`)).status, 200)
  t.equal((await second.call('POST', `/${id}/reveal`)).status, 200)
  t.equal((await second.call('GET')).body.driver, 'parts')

  const again = await openApp(t, { options: { encryptionKey: KEY, parts: { stores } } })
  t.equal((await again.call('POST', `/${id}/reveal`)).status, 409)
})
