/** Webhooks in the console: from the first endpoint to a failed delivery, why it failed, and the same message again. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { verifyWebhook } from 'svc-webhooks'
import type { Test } from 'tap'
import { until } from '../../support/until.ts'
import type { ConsoleApp } from './console-app.ts'
import { HOSTILE } from './hostile-text.ts'
import { Visitor } from './visitor.ts'

interface Received {
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: Buffer
}

/** Answers as it is told, with markup that has to stay text. */
async function startReceiver(t: Test) {
  const received: Received[] = []
  const answer = { status: 500 }
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: Buffer.concat(await request.toArray()) })
    response.writeHead(answer.status).end(`answer-canary ${HOSTILE.join(' ')}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { received, answer, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

const refused = { category: 'auth', action: 'login.failure', outcome: 'failure', reason: 'password' } as const

export async function webhooksWalk(t: Test, browser: Browser, { app, origin }: ConsoleApp): Promise<void> {
  await t.test('the first endpoint, a delivery that fails, why, and the same message again', async (t) => {
    const { received, answer, url } = await startReceiver(t)
    const visitor = await Visitor.open(t, browser, origin, { permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = visitor
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await visitor.goto('/webhooks')
    await visitor.signIn()
    await page.getByText('No endpoint is registered.').waitFor()
    t.strictSame(await visitor.violations(), [])
    await page.getByRole('link', { name: 'Register the first one' }).click()

    await page.getByLabel('URL').fill('ftp://example.com/')
    await button('Register').click()
    await page.getByRole('alert').getByText('SVC_WEBHOOKS_URL_REFUSED').waitFor()
    t.equal(await page.getByLabel('URL').getAttribute('aria-invalid'), 'true')
    t.strictSame(await visitor.violations(), [])
    t.match(visitor.complaints.splice(0), [/422/])
    await page.getByLabel('URL').fill(url)
    await page.getByLabel('Description').fill(`billing ${HOSTILE[1]}`)
    await page.getByLabel('Events', { exact: true }).fill('login.failure')
    await button('Register').click()
    const dialog = page.getByRole('dialog', { name: 'The secret of this endpoint' })
    const secret = (await dialog.locator('code').textContent()) ?? ''
    t.match(secret, /^whsec_/)
    await button('Copy the secret').click()
    await dialog.getByText('Copied').waitFor()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
    t.strictSame(await visitor.violations(), [])
    await button('I have stored it').click()
    await page.getByRole('heading', { name: /^billing/ }).waitFor()
    t.notMatch(await page.content(), secret, 'shown once')

    app.audit.record({ ...refused, actor: HOSTILE[0] ?? '' })
    await page.getByRole('link', { name: 'Deliveries' }).click()
    const row = page.getByRole('link', { name: 'login.failure' })
    for (let ask = 0; (await row.count()) === 0 && ask < 50; ask += 1) await button('Look again').click()
    t.strictSame(await visitor.violations(), [])
    await row.click()
    await page.getByText('answer-canary').waitFor()
    await page.getByText('HTTP 500').waitFor()
    t.strictSame(await visitor.violations(), [])
    answer.status = 204
    await button('Send again').click()
    await page.getByText(/^Delivered: 204/).waitFor()
    await page.getByRole('heading', { name: /Attempt 1 .*delivered/ }).waitFor()
    const [first, second] = received
    t.equal(first?.headers['webhook-id'], second?.headers['webhook-id'], 'the same message')
    if (second !== undefined) t.ok(verifyWebhook({ ...second, secret }), 'signed with the secret that was shown')

    await page.getByRole('link', { name: 'Webhooks' }).first().click()
    const listed = page.getByRole('row').filter({ hasText: url })
    await listed.getByRole('img', { name: '1 delivered, 1 failed within 24 hours' }).waitFor()
    await listed.getByText('50 %', { exact: true }).waitFor()
    t.strictSame(await visitor.violations(), [])
    t.equal(await page.evaluate('window.canary'), undefined)
    t.strictSame(visitor.complaints, [])
    t.strictSame(visitor.elsewhere(), [])
  })

  await t.test('tested, paused and resumed, its secret replaced, edited, recovered, deleted', async (t) => {
    const { received, answer, url } = await startReceiver(t)
    const made = await app.webhooks.create({ url, events: ['config.update'], description: 'stock' })
    const visitor = await Visitor.open(t, browser, origin)
    const { page } = visitor
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await visitor.goto('/webhooks?q=stock')
    await visitor.signIn()
    await page.getByRole('link', { name: url }).click()
    await button('Send a test').click()
    await page.getByText('Not delivered: HTTP 500.').waitFor()
    await button('Pause').click()
    await button('Undo').click()
    await page.getByText('Resumed.').waitFor()
    t.equal((await app.webhooks.find(made.endpoint.id)).enabled, true)

    await button('Replace secret').click()
    t.strictSame(await visitor.violations(), [])
    await button('Replace').click()
    const shown = page.getByRole('dialog', { name: 'The secret of this endpoint' }).locator('code')
    const secret = (await shown.textContent()) ?? ''
    t.not(secret, made.secret)
    await button('I have stored it').click()
    await page.getByText('Old secret ends').waitFor()
    answer.status = 200
    await button('Send a test').click()
    await page.getByText(/^Delivered: 200/).waitFor()
    const last = received.at(-1)
    for (const one of [secret, made.secret]) if (last !== undefined) t.ok(verifyWebhook({ ...last, secret: one }))

    await page.getByRole('link', { name: 'Edit' }).click()
    t.strictSame(await visitor.violations(), [])
    await page.getByLabel('Events', { exact: true }).fill('not an event!')
    await button('Save').click()
    await page.getByRole('alert').waitFor()
    t.match(visitor.complaints.splice(0), [/400/])
    await page.getByLabel('Events', { exact: true }).fill('config.update\nlogout')
    await button('Save').click()
    await page.getByText('Saved.').waitFor()
    t.strictSame((await app.webhooks.find(made.endpoint.id)).events, ['config.update', 'logout'])

    await page.getByRole('link', { name: 'Recover' }).click()
    await button('Recover').click()
    await page.getByRole('heading', { name: 'Done.' }).waitFor()
    t.strictSame(await visitor.violations(), [])
    t.match(page.url(), /job=/, 'a link leads to its progress')

    await button('Delete').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await button('Delete').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
    await t.rejects(async () => app.webhooks.find(made.endpoint.id), { code: 'SVC_WEBHOOKS_UNKNOWN' })
    t.strictSame(visitor.complaints, [])
  })

  await t.test('why an endpoint was disabled', async (t) => {
    const { url } = await startReceiver(t)
    const { endpoint } = await app.webhooks.create({ url, events: ['config.update'], description: 'broken' })
    const stopped = new Promise<void>((resolve) => {
      const leave = app.audit.subscribe(({ action }) => {
        if (action !== 'webhook.disabled') return
        leave()
        resolve()
      })
    })
    for (let count = 0; count < 3; count += 1) {
      app.audit.record({ category: 'config', action: 'config.update', outcome: 'success', actor: 'root' })
    }
    await stopped
    const visitor = await Visitor.open(t, browser, origin)
    await visitor.goto(`/webhooks/${endpoint.id}`)
    await visitor.signIn()
    await visitor.page.getByText('Disabled after 3 failed deliveries in a row.').waitFor()
    await visitor.page.getByRole('img', { name: /^Deliveries by hour: 0 delivered; 3 failed$/ }).waitFor()
    t.strictSame(await visitor.violations(), [])
    await visitor.goto('/webhooks')
    await visitor.page.getByRole('button', { name: /^Disabled/ }).click()
    const row = visitor.page.getByRole('row').filter({ hasText: url })
    await row.getByText('disabled').waitFor()
    t.match(visitor.page.url(), /enabled=false/)
    await app.webhooks.update(endpoint.id, { enabled: true })
    app.audit.record({ category: 'config', action: 'config.update', outcome: 'success', actor: 'root' })
    await until(async () => (await app.webhooks.find(endpoint.id)).failureCount === 1, 'another failure')
    await visitor.page.getByRole('button', { name: /^Failing/ }).click()
    await row.getByText('failing × 1').waitFor()
    const rows = visitor.page.getByRole('row')
    t.equal(
      await rows.count(),
      1 + (await rows.filter({ hasText: 'failing ×' }).count()),
      'a head, and those that fail'
    )
    t.strictSame(visitor.complaints, [])
  })
}
