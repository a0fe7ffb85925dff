/** Access in the console: why one is let in and another is not, the roles by routes, the zones, the warnings. */
import type { Browser } from 'playwright-core'
import type { Test } from 'tap'
import type { ConsoleApp } from './console-app.ts'
import { Visitor } from './visitor.ts'

export async function accessWalk(t: Test, browser: Browser, { origin }: ConsoleApp): Promise<void> {
  const visitor = await Visitor.open(t, browser, origin)
  const { page } = visitor

  await t.test('why a caller gets in, or does not', async (t) => {
    await visitor.goto('/access')
    await visitor.signIn()
    await page.getByLabel('Path').fill('/svc/security/api/audit/events')
    await page.getByLabel('Who').selectOption('user')
    await page.getByLabel('Name').fill('paul')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'refused 403, no voter granted it', exact: true }).waitFor()
    await page
      .getByRole('row', { name: /role .*ABSTAIN/i })
      .first()
      .waitFor()
    t.strictSame(await visitor.violations(), [])
    await page.reload()
    await page.getByRole('heading', { name: 'refused 403, no voter granted it', exact: true }).waitFor()
    t.equal(await page.getByLabel('Name').inputValue(), 'paul', 'the question is in the address')

    await page.getByLabel('Who').selectOption('roles')
    await page.getByRole('textbox', { name: 'Roles' }).fill('ROLE_SVC_ADMIN')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByRole('heading', { name: 'granted', exact: false }).first().waitFor()
    await page.getByLabel('Who').selectOption('nobody')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByRole('heading', { name: 'refused 401, no-proof' }).first().waitFor()
    await page.getByLabel('Path').fill('/<img src=x onerror=canary=1>')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page
      .getByRole('heading', { name: /not found/ })
      .first()
      .waitFor()
    t.equal(await page.evaluate('window.canary'), undefined)
  })

  await t.test('roles by routes; a cell leads to its explanation', async (t) => {
    await page.getByRole('link', { name: 'Roles and routes' }).click()
    await page.getByRole('searchbox').fill('audit/events')
    await page.keyboard.press('Enter')
    const row = page.getByRole('row').filter({ hasText: '/svc/security/api/audit/events/:id' })
    await row.waitFor()
    t.strictSame(await visitor.violations(), [])
    await row.getByRole('link', { name: 'granted for ROLE_SVC_ADMIN' }).click()
    await page
      .getByRole('heading', { name: /^granted/ })
      .first()
      .waitFor()
  })

  await t.test('zones with their routes, and what the boot warned of', async (t) => {
    await page.getByRole('link', { name: 'Zones' }).click()
    await page.getByRole('heading', { name: 'realtime' }).waitFor()
    await page.getByRole('img', { name: /ROLE_OWNER inherits ROLE_EDITOR/ }).waitFor()
    await page.getByRole('combobox', { name: 'Zone' }).selectOption('realtime')
    await page.getByRole('link', { name: '/svc/realtime' }).waitFor()
    t.strictSame(await visitor.violations(), [])
    await page.getByRole('link', { name: 'Warnings' }).click()
    await page.getByText('SVC_WEBHOOKS_PLAIN_HTTP').waitFor()
    t.strictSame(await visitor.violations(), [])
    t.strictSame(visitor.complaints, [])
    t.strictSame(visitor.elsewhere(), [])
  })
}
