/** Work goes on after a controller is saved: what keys of the process sealed and signed before is still good. */
import t from 'tap'
import { API } from '../support/account-app.ts'
import type { Shop } from '../support/shop.ts'
import { until } from '../support/until.ts'
import { administrator, guess, hookedShop } from './hooked-shop.ts'

const KEYLESS = /SVC_WEBHOOK_KEY_EPHEMERAL/

const HELLO = 'controllers/hello.ts'

/** Endpoints outlive a reload: they are in a database. */
async function storedShop(t: Parameters<typeof hookedShop>[0]): Promise<Shop> {
  const shop = await hookedShop(t)
  await shop.edit('svc.config.ts', 'import svcSecurity', "import svcSqlorm from 'svc-sqlorm'\nimport svcSecurity")
  const database = "[svcSqlorm, { connectors: { default: { url: 'sqlite:data/shop.db' } } }],"
  await shop.edit('svc.config.ts', 'svcAudit,', `${database}\n    svcAudit,`)
  await shop.edit('svc.config.ts', "authenticators: ['", "authenticators: ['jwt', '")
  return shop
}

t.test('N1: a webhook secret and an access token outlive a saved controller, not a restart', async (t) => {
  const shop = await storedShop(t)
  const running = await shop.dev()
  t.match(running.output, KEYLESS)
  const admin = await administrator(shop)
  const order = { url: `${shop.url}/svc/test/webhooks/sink`, events: ['login.failure'] }
  const made = await admin('POST', '/webhooks', order)
  t.equal(made.status, 201)
  const { endpoint, secret } = made.body as { endpoint: { id: string }; secret: string }
  const bearer = await tokenOf(shop)
  t.equal(await statusWith(shop, bearer), 200)

  running.forget()
  await shop.edit(HELLO, "hello: 'world'", "hello: 'again'")
  await running.shows(/reloaded/)
  const after = await administrator(shop)
  t.match(await after('POST', `/webhooks/${endpoint.id}/reveal`), { status: 200, body: { secret } })
  t.equal(await statusWith(shop, bearer), 200, 'the token holds')
  t.equal(await guess(shop), 401)
  const delivered = await until(async () => {
    const { deliveries } = (await after('GET', `/webhooks/${endpoint.id}/deliveries`)).body as {
      deliveries: { ok: boolean; error: string | null }[]
    }
    return deliveries[0] ?? null
  }, 'a delivery')
  t.not(delivered.error, 'secret unreadable')

  await running.stop()
  await shop.dev()
  const restarted = await administrator(shop)
  t.match(await restarted('POST', `/webhooks/${endpoint.id}/reveal`), {
    status: 409,
    body: { code: 'SVC_WEBHOOKS_SECRET_UNREADABLE' }
  })
})

async function tokenOf(shop: Shop): Promise<string> {
  const answer = await fetch(`${shop.url}${API}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'correct horse' })
  })
  return `Bearer ${((await answer.json()) as { access_token: string }).access_token}`
}

async function statusWith(shop: Shop, authorization: string): Promise<number> {
  return (await fetch(`${shop.url}/api/hello`, { headers: { authorization } })).status
}
