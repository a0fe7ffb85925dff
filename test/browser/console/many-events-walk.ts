/** Lists that are longer than what is loaded of them: "none" is said of all of it, or not at all. */
import type { Browser, Locator } from 'playwright-core'
import { type AuditStore, auditStore } from 'svc-audit'
import { systemClock } from 'svc-kernel'
import { memoryDatabase } from 'svc-stores/table'
import type { Test } from 'tap'
import type { ConsoleApp } from './console-app.ts'
import { Visitor } from './visitor.ts'

const COUNT = 120_000
/** The oldest of them. */
const NEEDLES = 3
const BATCH = 10_000

/** A journal of a second per event, until now. */
export async function manyEvents(): Promise<AuditStore> {
  const clock = systemClock
  const store = auditStore.open(memoryDatabase({ clock }), { clock })
  const begin = clock.now() - COUNT * 1000
  for (let from = 0; from < COUNT; from += BATCH) {
    await store.append(
      Array.from({ length: BATCH }, (_, index) => ({
        id: `aud_${String(from + index).padStart(9, '0')}`,
        ts: begin + (from + index) * 1000,
        category: 'token',
        action: 'token.issued',
        outcome: 'success',
        actor: from + index < NEEDLES ? 'needle' : 'hay',
        resource: `token-${from + index}`,
        reason: null,
        ip: null,
        userAgent: null,
        requestId: null,
        metadata: {}
      }))
    )
  }
  return store
}

export async function manyEventsWalk(t: Test, browser: Browser, { origin }: ConsoleApp): Promise<void> {
  const visitor = await Visitor.open(t, browser, origin)
  const { page } = visitor
  const none = page.getByText('No event matches.')
  const search = async (text: string) => {
    await page.getByRole('searchbox').fill(text)
    await page.keyboard.press('Enter')
  }
  const lookFurther = page.getByRole('button', { name: 'Look further' })
  const lookUntil = async (end: Locator) => {
    while (!(await end.isVisible())) {
      await end.or(lookFurther).first().waitFor()
      if (await lookFurther.isVisible()) await lookFurther.click()
    }
  }

  await t.test('Q4: what is among the oldest of 120 000 events is found', async (t) => {
    await visitor.goto('/audit')
    await visitor.signIn()
    await page.getByText('200+ events').waitFor()
    await search('needle')
    await lookFurther.waitFor()
    await page.getByText('no events so far').waitFor()
    t.notOk(await none.isVisible(), 'it does not say that there is none')
    t.strictSame(await visitor.violations(), [])
    await lookUntil(page.getByText(`${NEEDLES} events`, { exact: true }))
    t.strictSame(await page.locator('.rows .row').filter({ hasText: 'needle' }).count(), NEEDLES)
    t.match(page.url(), /q=needle/, 'the search is in the address')
  })

  await t.test('Q4: what is in none of them is looked for in all of them, and then there is none', async (t) => {
    await search('nowhere at all')
    await lookUntil(none)
    await page.getByText('0 events', { exact: true }).waitFor()
    t.strictSame(visitor.complaints, [])
  })
}

export async function ownRequestsWalk(t: Test, browser: Browser, { app, origin }: ConsoleApp): Promise<void> {
  await t.test('Q3: calls to svc itself hide no request of the application', async (t) => {
    const visitor = await Visitor.open(t, browser, origin)
    const { page } = visitor
    await visitor.goto('/system')
    await visitor.signIn()
    await page.getByRole('heading', { name: 'System' }).waitFor()
    await app.inject('/shop/orders/early')
    for (let count = 0; count < 300; count += 1) await app.inject('/svc/security/api/auth/csrf')
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('link', { name: 'GET /shop/orders/early' }).waitFor()
    await page.getByRole('button', { name: 'With those of svc' }).click()
    await page.getByRole('link', { name: 'GET /svc/security/api/auth/csrf' }).first().waitFor()
    await page.getByRole('searchbox').fill('orders/EARLY')
    await page.keyboard.press('Enter')
    await page.getByText('1 request', { exact: true }).waitFor()
    t.strictSame(visitor.complaints, [])
  })
}
