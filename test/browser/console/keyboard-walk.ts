/** The main ways with the keyboard alone: to an event, and from a failed delivery to the message that arrives after all. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import type { ConsoleApp } from './console-app.ts'
import { Visitor } from './visitor.ts'

/** As many as a page has at most before what is looked for. */
const MOST_TABS = 80

/** Goes on by the Tab key until what has the focus is called so. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let tab = 0; tab < MOST_TABS; tab += 1) {
    const focused = await page.evaluate(
      `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()`
    )
    if (focused === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the keyboard does not reach ${name}`)
}

export async function keyboardWalk(t: Test, browser: Browser, { app, origin }: ConsoleApp): Promise<void> {
  await t.test('the sign-in, the help, the search, an event', async (t) => {
    const visitor = await Visitor.open(t, browser, origin)
    const { page } = visitor
    await visitor.goto()
    await page.getByLabel('Name').focus()
    await page.keyboard.type('root')
    await page.keyboard.press('Tab')
    await page.keyboard.type('correct horse battery')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'login.success' }).first().waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('login.success')
    t.equal(await page.getByRole('searchbox').inputValue(), 'login.success')
    await page.locator('.viewport').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'login.success' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    t.strictSame(visitor.complaints, [])
  })

  await t.test('an endpoint, its failed delivery, and the same message again', async (t) => {
    let status = 500
    const server = createServer((_request, response) => response.writeHead(status).end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
    const { endpoint } = await app.webhooks.create({ url, events: ['config.update'], description: 'keys' })
    const visitor = await Visitor.open(t, browser, origin)
    const { page } = visitor
    const { keyboard } = page
    await visitor.goto('/webhooks/new')
    await visitor.signIn()
    await page.getByRole('heading', { name: 'New endpoint' }).waitFor()
    await keyboard.press('g')
    await keyboard.press('w')
    await page.getByRole('link', { name: url }).waitFor()
    await tabTo(page, url)
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'keys' }).waitFor()
    await tabTo(page, 'Send a test')
    await keyboard.press('Enter')
    await page.getByText('Not delivered: HTTP 500.').waitFor()
    await tabTo(page, 'Deliveries')
    await keyboard.press('Enter')
    await page.getByRole('link', { name: 'webhook.test' }).waitFor()
    await tabTo(page, 'webhook.test')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: /Attempt 1 .*failed/ }).waitFor()
    status = 204
    await tabTo(page, 'Send again')
    await keyboard.press('Enter')
    await page.getByText(/^Delivered: 204/).waitFor()

    await keyboard.press('g')
    await keyboard.press('w')
    await page.getByRole('link', { name: url }).waitFor()
    await tabTo(page, url)
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'keys' }).waitFor()
    await tabTo(page, 'Delete')
    await keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    t.equal((await app.webhooks.find(endpoint.id)).url, url, 'a dialog is left without doing anything')
    t.strictSame(visitor.complaints, [])
  })
}
