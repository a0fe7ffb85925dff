/** Pages that are left open: they renew themselves, say what waits, and show what a failed request threw. */
import type { Browser } from 'playwright-core'
import type { Test } from 'tap'
import { type ConsoleApp, PASSWORD } from './console-app.ts'
import { Visitor } from './visitor.ts'

const PENDING = {
  waiting: 2,
  sending: 1,
  nextAt: Date.now() + 120_000,
  next: [
    { messageId: 'msg_1', eventId: 'aud_1', type: 'orders.created', attempts: 3, dueAt: Date.now() + 120_000 },
    { messageId: null, eventId: 'aud_2', type: 'orders.paid', attempts: 0, dueAt: null }
  ]
}

export async function renewalWalk(t: Test, browser: Browser, { app, origin }: ConsoleApp): Promise<void> {
  const visitor = await Visitor.open(t, browser, origin)
  const { page } = visitor
  // As when the tab comes to the front again, or a quarter of a minute has passed.
  const look = () => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)

  await t.test('Q8: lists of endpoints and of people renew themselves', async (t) => {
    await visitor.goto('/webhooks')
    await visitor.signIn()
    await page
      .getByRole('status')
      .filter({ hasText: /endpoint/ })
      .waitFor()
    await app.webhooks.create({ url: 'http://127.0.0.1:1/fresh', events: ['config.update'] })
    await look()
    await page.getByRole('link', { name: 'http://127.0.0.1:1/fresh' }).waitFor()
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('link', { name: 'root' }).waitFor()
    await app.userAccounts.create({ identifier: 'newcomer', password: PASSWORD, roles: [] })
    await look()
    await page.getByRole('link', { name: 'newcomer' }).waitFor()
    t.strictSame(visitor.complaints, [])
  })

  await t.test('Q8: what waits for an endpoint, with its next attempt', async (t) => {
    const { endpoint } = await app.webhooks.create({ url: 'http://127.0.0.1:1/slow', events: ['config.update'] })
    await page.route(/\/deliveries\?limit=1$/, async (route) => {
      const answer = await (await route.fetch()).json()
      return route.fulfill({ json: { ...answer, pending: PENDING } })
    })
    await visitor.goto(`/webhooks/${endpoint.id}`)
    await page.getByText('2 deliveries wait, 1 on its way; the next attempt is').waitFor()
    t.match(
      await page.getByRole('listitem').filter({ hasText: 'orders.created' }).innerText(),
      /3 attempts failed, next/
    )
    t.match(await page.getByRole('listitem').filter({ hasText: 'orders.paid' }).innerText(), /not tried yet$/)
    t.strictSame(await visitor.violations(), [])
    await page.unrouteAll({ behavior: 'wait' })
    t.strictSame(visitor.complaints, [])
  })

  await t.test('Q12: a failed request shows what was thrown', async (t) => {
    await app.inject('/broken')
    await visitor.goto('/requests?route=/broken')
    await page.getByRole('link', { name: 'GET /broken' }).first().click()
    const thrown = page.locator('section').filter({ has: page.getByRole('heading', { name: 'What was thrown' }) })
    await thrown.getByText('Error broken').waitFor()
    t.match(await thrown.locator('pre').innerText(), /^Error: broken\n\s+at .*console-app\.js/)
    t.strictSame(await visitor.violations(), [])
    t.strictSame(visitor.complaints, [])
  })

  await t.test('Q2: a refusal in the journal leads to its explanation', async (t) => {
    const metadata = { method: 'GET', route: '/svc/security/api/users/:id' }
    const refusal = { category: 'authz', action: 'access.denied', outcome: 'denied', actor: 'paul' } as const
    app.audit.record({ ...refusal, resource: 'ROLE_SVC_ADMIN', metadata })
    const { id } = app.audit.recent(1)[0] ?? { id: '' }
    await visitor.goto(`/audit/${id}`)
    await page.getByRole('link', { name: 'Explain this' }).click()
    await page.getByText('ROLE_SVC_ADMIN is missing: paul has ROLE_USER; no role inherits it').first().waitFor()
    t.match(new URL(page.url()).search, /path=%2Fsvc%2Fsecurity%2Fapi%2Fusers%2F%3Aid&user=paul/)
    t.strictSame(visitor.complaints, [])
  })
}
