/** J13: preset full, its first administrator, and the console: an endpoint, a delivery that fails, why, and the same again. */
import t from 'tap'
import { Visitor } from '../browser/console/visitor.ts'
import { openChromium } from '../support/chromium.ts'
import { WebhookReceiver } from '../support/webhook-receiver.ts'
import { PresetApp } from './preset-app.ts'

const PASSWORD = 'correct horse battery'

t.test('from the first administrator to the message that arrives after all', { timeout: 120_000 }, async (t) => {
  const browser = await openChromium(t)
  if (browser === null) return
  const receiver = await WebhookReceiver.start(t)
  receiver.status = () => 404
  const app = await PresetApp.create(t, 'full')
  await app.createUser('root', ['ROLE_SVC_ADMIN'], PASSWORD)
  const { url } = await app.start({ NODE_ENV: 'development' })
  const visitor = await Visitor.open(t, browser, url)
  const { page } = visitor
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  await visitor.goto('/webhooks')
  await visitor.signIn('root', PASSWORD)
  await page.getByRole('link', { name: 'Register the first one' }).click()
  await page.getByLabel('URL').fill(receiver.url('/orders'))
  await page.getByLabel('Description').fill('orders')
  await page.getByLabel('Events', { exact: true }).fill('login.failure')
  await button('Register').click()
  await button('I have stored it').click()
  await page.getByRole('heading', { name: 'orders' }).waitFor()

  const mistaken = JSON.stringify({ username: 'root', password: 'mistaken' })
  const headers = { 'content-type': 'application/json' }
  await fetch(`${url}/svc/security/api/auth/login`, { method: 'POST', headers, body: mistaken })
  await page.getByRole('link', { name: 'Deliveries' }).click()
  const delivery = page.getByRole('link', { name: 'login.failure' })
  for (let ask = 0; (await delivery.count()) === 0 && ask < 100; ask += 1) await button('Look again').click()
  await delivery.click()
  await page.getByRole('heading', { name: /Attempt 1 .*failed/ }).waitFor()
  await page.getByText('HTTP 404').waitFor()
  await page.getByText('noted').waitFor()

  receiver.status = () => 204
  await button('Send again').click()
  await page.getByText(/^Delivered: 204/).waitFor()
  const [failed, arrived] = receiver.received
  t.equal(failed?.headers['webhook-id'], arrived?.headers['webhook-id'], 'the same message')
  t.equal(receiver.received.length, 2)
  t.strictSame(visitor.complaints, [])
})
