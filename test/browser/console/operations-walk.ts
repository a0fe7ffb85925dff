/** Requests and the system in the console: from a refused request to the vote that refused it, and the level of the log. */
import type { Browser } from 'playwright-core'
import type { Test } from 'tap'
import type { ConsoleApp } from './console-app.ts'
import { HOSTILE } from './hostile-text.ts'
import { Visitor } from './visitor.ts'

export async function operationsWalk(t: Test, browser: Browser, { app, origin }: ConsoleApp): Promise<void> {
  const visitor = await Visitor.open(t, browser, origin)
  const { page } = visitor

  await t.test('a refused request: the vote that refused it; one that was granted: what it caused', async (t) => {
    await visitor.goto('/requests')
    await visitor.signIn()
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
    const hostile = encodeURIComponent(HOSTILE[1] ?? '')
    const headers = { 'user-agent': HOSTILE[0] ?? '' }
    await app.inject({ url: `/shop/orders/${hostile}?q=${hostile}`, headers })
    const refused = page.getByRole('row').filter({ hasText: '403' }).getByRole('link', { name: /shop/ })
    await refused.first().waitFor()
    t.strictSame(await visitor.violations(), [])
    await refused.first().click()
    await page.getByRole('heading', { name: 'Decisions' }).waitFor()
    await page.getByText('SVC_SEC_DENIED').waitFor()
    await page
      .getByRole('cell', { name: /ABSTAIN/ })
      .first()
      .waitFor()
    await page.getByText('no voter granted it').first().waitFor()
    await page.getByText('ROLE_EDITOR is missing: anonymous has no role; ROLE_OWNER inherits it').waitFor()
    t.strictSame(await visitor.violations(), [])

    const { endpoint } = await app.webhooks.create({ url: 'http://127.0.0.1:1/', events: ['config.update'] })
    await page.evaluate(`fetch('/shop/orders/7')`)
    await page.getByRole('link', { name: 'Requests' }).first().click()
    const granted = page.getByRole('link', { name: 'GET /shop/orders/7' })
    await granted.click()
    for (const part of ['Events of the journal', 'Realtime messages', 'Deliveries']) {
      await page.getByRole('heading', { name: part }).waitFor()
    }
    await page
      .getByRole('listitem')
      .filter({ hasText: endpoint.id })
      .getByText(/failed, 1 attempt/)
      .waitFor()
    t.strictSame(await visitor.violations(), [])
    const work = page.getByRole('region', { name: 'Where the time went' }).getByRole('listitem')
    for (const part of [
      /^zone shop, session: accepted/,
      /^ROLE_SVC_ADMIN: granted/,
      /^role: GRANT/,
      /^select .* on /
    ]) {
      await work.filter({ hasText: part }).first().waitFor()
    }
    const names = (await work.allTextContents()).map((text) => text.replace(/\d.*$/, ''))
    const phases = ['hooks and firewall', 'guard', 'body', 'validation', 'handler', 'answer']
    t.strictSame(
      names.filter((name) => phases.includes(name)),
      phases
    )
    await page.getByRole('link', { name: 'config.update' }).click()
    await page.getByRole('link', { name: 'Its request' }).click()
    await page.getByRole('heading', { name: 'GET /shop/orders/7' }).waitFor()
    await page.getByRole('link', { name: 'Explain' }).click()
    await page
      .getByRole('heading', { name: /^granted/ })
      .first()
      .waitFor()
    t.equal(await page.evaluate('window.canary'), undefined)
    t.strictSame(visitor.complaints, [])
  })

  await t.test('a call that failed leads to its request', async (t) => {
    await visitor.goto('/webhooks/none')
    const notice = page.getByRole('alert').filter({ hasText: 'SVC_WEBHOOKS_UNKNOWN' })
    await notice.waitFor()
    t.strictSame(await visitor.violations(), [])
    await notice.getByRole('link', { name: /^req-/ }).click()
    await page.getByRole('heading', { name: 'GET /svc/security/api/webhooks/none' }).waitFor()
    t.match(visitor.complaints.splice(0), [/404/])
  })

  await t.test('filters are in the address', async (t) => {
    await visitor.goto('/requests')
    const rows = page.getByRole('row').filter({ hasText: 'GET /shop' })
    await rows.nth(1).waitFor()
    await page.getByLabel('Status').selectOption('4xx')
    await rows.filter({ hasText: '200' }).first().waitFor({ state: 'detached' })
    await page.getByLabel('Route').fill('/shop')
    await page.getByLabel('Route').press('Enter')
    await page.waitForURL(/status=4xx&route=/)
    await page.reload()
    await rows.filter({ hasText: '403' }).first().waitFor()
    t.equal(await rows.filter({ hasText: '200' }).count(), 0)
    t.strictSame(visitor.complaints, [])
  })

  await t.test('the system, and the level of its log', async (t) => {
    t.equal(app.log.level, 'info')
    app.ops.addCheck('letterbox', () => undefined)
    await visitor.goto('/system')
    await page.getByText('Event loop, median').waitFor()
    await page.getByRole('img', { name: /^Requests by minute/ }).waitFor()
    t.strictSame(await visitor.violations(), [])
    await page.getByText('✓ letterbox').waitFor()
    const instance = page.getByRole('row').filter({ hasText: `process ${process.pid}` })
    await instance.getByText('serving').waitFor()
    await instance.getByText('shown here').waitFor()
    await page
      .getByText(HOSTILE[2] ?? '', { exact: false })
      .first()
      .click()
    await page.getByText('"encryptionKey": "[set]"').waitFor()
    t.notMatch(await page.content(), 'HIDDEN')
    const level = page.getByLabel(/^Level/)
    await level.selectOption('warn')
    await page.getByText('The log is at warn.').waitFor()
    t.strictSame([app.log.level, await level.inputValue()], ['warn', 'warn'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The log is at info.').waitFor()
    t.equal(app.log.level, 'info')
    const changes = app.audit.recent(100).filter(({ resource }) => resource === 'log.level')
    t.match(
      changes.map(({ actor, metadata }) => [actor, metadata]),
      [
        ['root', { before: 'warn', after: 'info' }],
        ['root', { before: 'info', after: 'warn' }]
      ]
    )
    t.strictSame(visitor.complaints, [])
    t.strictSame(visitor.elsewhere(), [])
  })
}
