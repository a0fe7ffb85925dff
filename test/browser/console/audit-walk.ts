/** The journal in the console: as it happens, filtered, read event by event, in the time of the browser. */
import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import type { Test } from 'tap'
import type { ConsoleApp } from './console-app.ts'
import { hostileRecords } from './hostile-text.ts'
import { Visitor } from './visitor.ts'

const denied = { category: 'authz', action: 'access.denied', outcome: 'denied' } as const

export async function auditWalk(t: Test, browser: Browser, { app, origin }: ConsoleApp): Promise<void> {
  await t.test('as it happens, and filtered in the address', async (t) => {
    const visitor = await Visitor.open(t, browser, origin)
    const { page } = visitor
    await visitor.goto('/audit')
    const [socket] = await Promise.all([page.waitForEvent('websocket'), visitor.signIn()])
    t.equal(new URL(socket.url()).pathname, '/svc/realtime')
    await page.getByRole('button', { name: 'Live' }).waitFor()
    app.audit.record({ ...denied, actor: 'mallory', resource: 'ROLE_LIVE', requestId: 'req-live' })
    const row = page.getByRole('row').filter({ hasText: 'ROLE_LIVE' })
    await row.waitFor()
    t.strictSame(await visitor.violations(), [])

    await page.getByLabel('Outcome').selectOption('success')
    await row.waitFor({ state: 'detached' })
    app.audit.record({ ...denied, actor: 'mallory', resource: 'ROLE_FILTERED' })
    await page.getByLabel('Outcome').selectOption('denied')
    await page.getByLabel('Actor').fill('mallory')
    await page.getByLabel('Actor').press('Enter')
    await page.waitForURL(/actor=mallory/)
    await page.reload()
    t.equal(await page.getByLabel('Actor').inputValue(), 'mallory', 'the address has the filters')
    await page.getByRole('row').filter({ hasText: 'ROLE_FILTERED' }).waitFor()

    await page.getByRole('textbox', { name: 'Request' }).fill('req-typed')
    app.audit.record({ ...denied, actor: 'mallory', resource: 'ROLE_MEANWHILE' })
    await page.getByRole('row').filter({ hasText: 'ROLE_MEANWHILE' }).waitFor()
    await page.getByRole('textbox', { name: 'Request' }).press('Enter')
    await page.waitForURL(/requestId=req-typed/)
    await page.getByRole('textbox', { name: 'Request' }).fill('')
    await page.getByRole('textbox', { name: 'Request' }).press('Enter')
    await page.waitForURL(/actor=mallory$/)
    await row.waitFor()

    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export NDJSON' }).click()
    ])
    t.match(saved.url(), /events\.ndjson\?outcome=denied&actor=mallory$/)
    const lines = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\n')
    t.ok(lines.length >= 3)
    for (const line of lines) t.match(JSON.parse(line), { outcome: 'denied', actor: 'mallory' })

    await row.getByRole('link').click()
    await page.getByRole('heading', { name: 'access.denied' }).waitFor()
    t.strictSame(await visitor.violations(), [])
    await page.getByRole('link', { name: 'All of this request' }).click()
    await page.waitForURL(/requestId=req-live/)
    t.equal(await page.getByRole('textbox', { name: 'Request' }).inputValue(), 'req-live')
    await page.getByLabel('Actor').fill('nobody-is-called-so')
    await page.getByLabel('Actor').press('Enter')
    await page.getByText('No event matches.').waitFor()
    t.strictSame(visitor.complaints, [])
    t.strictSame(visitor.elsewhere(), [])
  })

  await t.test('in the time of the browser, with UTC where the pointer rests; copied whole', async (t) => {
    const timezoneId = 'Asia/Kathmandu'
    const permissions = ['clipboard-read', 'clipboard-write']
    const visitor = await Visitor.open(t, browser, origin, { timezoneId, locale: 'en-GB', permissions })
    const { page } = visitor
    const { id, ts } = app.audit.recent(1)[0] ?? { id: '', ts: 0 }
    await visitor.goto(`/audit/${id}`)
    await visitor.signIn()
    const time = page.locator('time').first()
    await time.waitFor()
    const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: timezoneId })
    t.match(await time.textContent(), local.format(ts))
    t.equal(await time.getAttribute('title'), new Date(ts).toISOString())
    await page.getByRole('button', { name: 'Copy the event as JSON' }).click()
    await page.getByText('Copied').waitFor()
    t.match(JSON.parse((await page.evaluate('navigator.clipboard.readText()')) as string), { id, ts })
    t.strictSame(visitor.complaints, [])
  })

  await t.test('dark, and on a phone', async (t) => {
    const phone = { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }
    const visitor = await Visitor.open(t, browser, origin, phone)
    const { page } = visitor
    await visitor.goto('/audit')
    await visitor.signIn()
    await page.getByRole('link', { name: 'login.success' }).first().waitFor()
    t.strictSame(await visitor.violations(), [])
    t.equal(await visitor.tooWide(), 0, 'nothing is cut off')
  })

  await t.test('text of strangers is text', async (t) => {
    const visitor = await Visitor.open(t, browser, origin)
    const { page } = visitor
    for (const record of hostileRecords()) app.audit.record(record)
    await visitor.goto('/audit?outcome=denied')
    await visitor.signIn()
    const links = page.getByRole('row').filter({ hasText: 'canary' }).getByRole('link')
    await links.first().waitFor()
    await page.getByLabel('Actor').fill(`"><img src=x onerror="canary()">`)
    await links.first().click()
    await page.getByRole('heading', { name: 'access.denied' }).waitFor()
    await page.getByText('metadata-canary').waitFor()
    t.equal(await page.evaluate('window.canary'), undefined)
    t.equal(await page.locator('main img, main script, main iframe, main svg').count(), 0)
    t.strictSame(visitor.complaints, [], 'the policy had nothing to stop')
  })

  await t.test('a thousand events: what is in sight is in the page', async (t) => {
    const visitor = await Visitor.open(t, browser, origin)
    const { page } = visitor
    for (let index = 0; index < 1000; index += 1) {
      app.audit.record({ category: 'token', action: 'token.issued', outcome: 'success', resource: `many-${index}` })
    }
    await visitor.goto('/audit?action=token.issued')
    await visitor.signIn()
    await page.getByText('many-999', { exact: true }).waitFor()
    const scrollTo = (top: number) => page.evaluate(`document.querySelector('.viewport').scrollTop = ${top}`)
    // Each end brings the next page.
    for (let loaded = 200; loaded <= 1000; loaded += 200) {
      await page.getByText(loaded < 1000 ? `${loaded}+ events` : '1000 events').waitFor()
      await scrollTo(1e9)
    }
    await page.getByText('many-0', { exact: true }).waitFor()
    t.ok((await page.locator('.rows .row').count()) < 60)

    app.audit.record({ category: 'token', action: 'token.issued', outcome: 'success', resource: 'the-newest' })
    await page.getByRole('button', { name: '1 new event' }).click()
    await scrollTo(0)
    await page.getByText('the-newest').waitFor()
    t.strictSame(visitor.complaints, [])
  })
}
