/**
 * The portal of svc-events in a real browser: a link that opens it once, each action to its end, in a frame of the listed
 * origin and in none of another; in German, in other colours, on a phone. axe finds nothing, and no page breaks its policy.
 */
import type { Browser, Frame, Page } from 'playwright-core'
import { verifyEvent } from 'svc-events/verify'
import t, { type Test } from 'tap'
import { violationsOf } from '../support/axe.ts'
import { openChromium } from '../support/chromium.ts'
import { WebhookReceiver } from '../support/webhook-receiver.ts'
import { waitLimit } from './console/pace.ts'
import { startFraming, startPortal } from './portal/portal-app.ts'

const MOST_BYTES = 60_000

const faults: string[] = []

async function openPage(t: Test, browser: Browser, options: object = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1100, height: 800 }, ...options })
  context.setDefaultTimeout(await waitLimit(browser))
  t.teardown(() => context.close())
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML/.test(message.text())) faults.push(message.text())
  })
  return page
}

const button = (page: Page | Frame, name: string) => page.getByRole('button', { name, exact: true })

t.test('the portal in a browser', { timeout: 0 }, async (t) => {
  const browser = await openChromium(t)
  if (browser === null) return
  const framing = await startFraming()
  const foreign = await startFraming()
  t.teardown(() => [framing, foreign].map(({ server }) => server.close()))
  const { app, acme, origin, close } = await startPortal([framing.origin])
  t.teardown(close)
  const receiver = await WebhookReceiver.start(t)
  const link = async (options = {}) => (await app.events.portal(acme, { name: 'Acme', ...options })).url
  const page = await openPage(t, browser)
  const dialog = page.locator('dialog')
  let secret = ''

  await t.test('opens once, and counts what it loads', async (t) => {
    const client = await page.context().newCDPSession(page)
    await client.send('Network.enable')
    let bytes = 0
    client.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    const url = await link()
    await page.goto(url)
    await page.getByText('No endpoint yet').waitFor()
    t.equal(page.url(), `${origin}/events-portal`, 'the secret has left the address bar')
    t.ok(bytes > 10_000 && bytes <= MOST_BYTES, `${bytes} bytes, answers of the API included`)
    t.comment(`first load over the wire: ${bytes} bytes`)
    const other = await openPage(t, browser)
    await other.goto(url)
    await other.getByRole('heading', { name: 'This page has ended' }).waitFor()
    t.strictSame(await violationsOf(other), [])
    await page.reload()
    await page.getByText('No endpoint yet').waitFor()
  })

  await t.test('an endpoint is added, and its secret shown once', async (t) => {
    await button(page, 'Add endpoint').click()
    await page.getByLabel('URL').fill('ftp://example.org')
    await dialog.getByRole('button', { name: 'Add endpoint' }).click()
    await dialog.getByRole('alert').waitFor()
    t.strictSame(await violationsOf(page), [])
    await page.getByLabel('URL').fill(receiver.url('/in'))
    await page.getByLabel('Description').fill('Warehouse')
    await page.getByLabel('Chosen events').check()
    await page.getByLabel(/ticket\.created/).check()
    await dialog.getByRole('button', { name: 'Add endpoint' }).click()
    // The form has names of events as code.
    secret = (await dialog.locator('code.secret').textContent()) ?? ''
    t.match(secret, /^whsec_/)
    await page.keyboard.press('Escape')
    t.equal(await dialog.count(), 1, 'no stray key takes the secret away')
    t.strictSame(await violationsOf(page), [])
    await button(page, 'I have stored it').click()
    await page.getByRole('heading', { name: receiver.url('/in') }).waitFor()
    t.notOk((await page.content()).includes(secret))
  })

  await t.test('a test and an event arrive, signed, and are shown', async (t) => {
    await button(page, 'Send a test').click()
    await page.locator('.portal-attempt', { hasText: 'webhook.test' }).waitFor()
    await app.events.emit('ticket.created', { title: 'one', priority: 'low' }, { organization: acme })
    await receiver.until(() => receiver.received.length === 2)
    const message = await verifyEvent<never>(receiver.received[1] as never, secret)
    t.match(message, { type: 'ticket.created', data: { title: 'one' } })
    await page.reload()
    const attempt = page.locator('.portal-attempt', { hasText: 'ticket.created' })
    await attempt.locator('summary').click()
    t.match(await attempt.textContent(), /Delivered.*answer 20\d · attempt 1 · \d+ ms · msg_/)
    t.match(await attempt.locator('pre').first().textContent(), /"title": "one"/)
    t.strictSame(await violationsOf(page), [])
    await attempt.getByRole('button', { name: 'Send again' }).click()
    await receiver.until(() => receiver.received.length === 3)
    const [, first, again] = receiver.received.map(({ headers }) => headers['webhook-id'])
    t.equal(again, first, 'under its id')
  })

  await t.test('what failed is sent again', async (t) => {
    receiver.status = () => 503
    const { endpoints } = await app.events.endpoints(acme).list({})
    const id = endpoints[0]?.id ?? ''
    await app.events.endpoints(acme).sendTest(id)
    await receiver.until(() => receiver.received.length === 4)
    receiver.status = () => 204
    await page.reload()
    await page.locator('.portal-attempt', { hasText: 'Failed' }).waitFor()
    await page.getByLabel('Outcome').selectOption('Failed')
    await page.locator('.portal-attempt').nth(1).waitFor({ state: 'detached' })
    await button(page, 'Send failed ones again').click()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Sent again: 1').waitFor()
    await receiver.until(() => receiver.received.length === 5)
    t.equal(receiver.received[4]?.headers['webhook-id'], receiver.received[3]?.headers['webhook-id'])
    await page.getByLabel('Outcome').selectOption('all')
    await button(page, 'Send failed ones again').click()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('No message failed in that time.').waitFor()
  })

  await t.test('the secret is replaced beside the old one', async (t) => {
    await button(page, 'Replace secret').click()
    await dialog.getByLabel('The old secret').selectOption('works for one hour more')
    await dialog.getByRole('button', { name: 'Replace secret' }).click()
    const fresh = dialog.locator('code.secret')
    await fresh.waitFor()
    const replaced = (await fresh.textContent()) ?? ''
    t.match(replaced, /^whsec_/)
    t.not(replaced, secret)
    await button(page, 'I have stored it').click()
    await page.getByText('Old secret works until').waitFor()
    await app.events.emit('ticket.created', { title: 'two', priority: 'low' }, { organization: acme })
    await receiver.until(() => receiver.received.length === 6)
    for (const each of [secret, replaced]) await verifyEvent<never>(receiver.received[5] as never, each)
  })

  await t.test('it is changed, switched off and on', async (t) => {
    await button(page, 'Change').click()
    await page.getByLabel('Description').fill('Warehouse in Hamburg')
    await page.getByLabel('All events, also future ones').check()
    await button(page, 'Save').click()
    await page.getByText('Warehouse in Hamburg').waitFor()
    await button(page, 'Switch off').click()
    await button(page, 'Switch on').waitFor()
    t.ok(await button(page, 'Send a test').isDisabled())
    const { endpoints } = await app.events.endpoints(acme).list({})
    t.match(endpoints, [{ enabled: false, events: ['*'], description: 'Warehouse in Hamburg' }])
    await button(page, 'Switch on').click()
    await button(page, 'Switch off').waitFor()
    await page.getByRole('link', { name: '← Endpoints' }).click()
    await page.getByRole('link', { name: receiver.url('/in') }).waitFor()
    t.strictSame(await violationsOf(page), [])
  })

  await t.test('the catalogue has examples and schemas', async (t) => {
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    const entry = page.locator('.portal-attempt', { hasText: 'ticket.created' })
    await entry.locator('summary').click()
    t.match(await entry.textContent(), /a ticket was created.*version 2.*The printer is on fire.*"maxLength": 100/s)
    t.strictSame(await violationsOf(page), [])
  })

  await t.test('a key is made with what it may at most, and revoked', async (t) => {
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByText('No key yet').waitFor()
    await button(page, 'Make a key').click()
    await dialog.getByLabel('Name').fill('nightly <b>')
    t.strictSame(await violationsOf(page), [])
    await dialog.getByRole('button', { name: 'Make a key' }).click()
    const made = dialog.locator('code.secret')
    await made.waitFor()
    const token = (await made.textContent()) ?? ''
    const opened = await fetch(`${origin}/api/organizations/acme`, { headers: { authorization: `Bearer ${token}` } })
    t.equal(opened.status, 200)
    await button(page, 'I have stored it').click()
    await page.getByText('nightly <b>').waitFor()
    t.match(await app.organizations.keys?.list(acme), [{ name: 'nightly <b>', permissions: ['billing'] }])
    t.strictSame(await violationsOf(page), [])
    await button(page, 'Revoke: nightly <b>').click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No key yet').waitFor()
    const closed = await fetch(`${origin}/api/organizations/acme`, { headers: { authorization: `Bearer ${token}` } })
    t.equal(closed.status, 401)
  })

  await t.test('it is shown in a frame of the listed origin, and in none of another', async (t) => {
    const host = await openPage(t, browser)
    await host.goto(`${framing.origin}/?src=${encodeURIComponent(await link())}`)
    const frame = host.frameLocator('iframe')
    await frame.getByRole('link', { name: receiver.url('/in') }).click()
    await frame.getByRole('button', { name: 'Send a test', exact: true }).click()
    await frame.getByText('A test message is on its way.').waitFor()
    const inner = host.frames()[1]
    t.strictSame(inner && (await violationsOf(inner)), [])
    t.strictSame(await host.context().cookies(), [], 'no cookie is needed, or set')
    const refused = await openPage(t, browser)
    const unused = await link()
    const asked: string[] = []
    refused.on('request', (request) => asked.push(request.url()))
    const before = faults.length
    await refused.goto(`${foreign.origin}/?src=${encodeURIComponent(unused)}`)
    await refused.waitForFunction(`document.querySelector('iframe').contentDocument === null`)
    t.match(faults.splice(before), [/frame-ancestors/])
    t.notOk(
      asked.some((url) => url.includes('/events-portal/')),
      'it loads nothing'
    )
    await refused.goto(unused)
    await refused.getByRole('heading', { name: 'Endpoints' }).waitFor()
  })

  await t.test('on a phone, in the dark, in German and in the colours of a link', async (t) => {
    const phone = await openPage(t, browser, { viewport: { width: 360, height: 640 }, colorScheme: 'dark' })
    await phone.goto(await link({ locale: 'de', name: 'Bäckerei Müller' }))
    await phone.getByRole('heading', { name: 'Endpunkte' }).waitFor()
    t.equal(await phone.evaluate('document.documentElement.lang'), 'de')
    const sections = ['Endpunkte', 'Ereignisse', 'API-Schlüssel']
    for (const name of sections) {
      await phone.getByRole('link', { name, exact: true }).click()
      await phone.getByRole('heading', { name }).waitFor()
      await phone.waitForLoadState('networkidle')
      t.strictSame(await violationsOf(phone), [], name)
      t.equal(await phone.evaluate('document.documentElement.scrollWidth'), 360, `${name} fits`)
    }
    await phone.getByRole('link', { name: 'Endpunkte', exact: true }).click()
    await phone.getByRole('link', { name: receiver.url('/in') }).click()
    await phone.getByRole('heading', { name: 'Versuche' }).waitFor()
    await phone.locator('.portal-attempt summary').first().click()
    t.strictSame(await violationsOf(phone), [])
    t.equal(await phone.evaluate('document.documentElement.scrollWidth'), 360)
    const painted = await openPage(t, browser, { colorScheme: 'dark' })
    const theme = { accent: '#0a5c36', onAccent: '#ffffff', ground: '#faf7f0', surface: '#ffffff', text: '#202020' }
    await painted.goto(await link({ theme }))
    await painted.getByRole('link', { name: receiver.url('/in') }).waitFor()
    t.equal(await painted.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(250, 247, 240)')
    t.strictSame(await violationsOf(painted), [])
  })

  await t.test('an endpoint is removed, the page closed, and a suspension shuts it', async (t) => {
    await page.getByRole('link', { name: 'Endpoints', exact: true }).click()
    await page.getByRole('link', { name: receiver.url('/in') }).click()
    await button(page, 'Remove').click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No endpoint yet').waitFor()
    const other = await openPage(t, browser)
    await other.goto(await link())
    await other.getByText('No endpoint yet').waitFor()
    await button(page, 'Close').click()
    await page.getByRole('heading', { name: 'You have closed this page' }).waitFor()
    t.equal(await page.evaluate(`sessionStorage.getItem('svc-portal')`), null)
    await page.reload()
    await page.getByRole('heading', { name: 'This page has ended' }).waitFor()
    await app.organizations.suspend(acme, 'unpaid')
    await other.getByRole('link', { name: 'Events', exact: true }).click()
    await other.getByRole('heading', { name: 'This page is closed' }).waitFor()
    t.strictSame(await violationsOf(other), [])
  })

  t.strictSame(faults, [], 'no page breaks its policy, or throws')
})
