/** Lists at the widths of a desk and of a phone: what a row is called by and how it fares is not cut, and Back finds its place. */
import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import { until } from '../../support/until.ts'
import type { ConsoleApp } from './console-app.ts'
import { Visitor } from './visitor.ts'

const HOUR = Array.from({ length: 24 }, () => 40)

function endpoint(number: number) {
  return {
    id: `wh_${number}`,
    url: `https://hooks.customer-${number}.example/in`,
    events: ['*'],
    enabled: true,
    description: `Customer ${number} Hamburg`,
    createdBy: null,
    createdAt: 1,
    updatedAt: 1,
    lastDeliveryAt: Date.now() - 90_000,
    lastDeliveryStatus: 200,
    lastDeliveryError: null,
    failureCount: 0,
    degraded: true,
    warnings: [],
    recent: { delivered: HOUR, failed: HOUR, meanMs: 1204.4 }
  }
}

function delivery(number: number, outcome: string) {
  return {
    ts: Date.now() - number * 60_000,
    messageId: `msg_${number}`,
    type: 'orders.created',
    attempt: 12,
    ok: false,
    status: 503,
    error: null,
    durationMs: 10_204,
    outcome,
    requestBody: '{}',
    responseBody: null
  }
}

/** Texts of the cells of these columns that do not fit, where they are shown. */
async function cut(page: Page, columns: readonly number[]): Promise<string[]> {
  return (await page.evaluate(`[...document.querySelectorAll('.rows .row')].flatMap((row) =>
    ${JSON.stringify(columns)}.map((column) => row.children[column])
      .filter((cell) => getComputedStyle(cell).display !== 'none' && cell.scrollWidth > cell.clientWidth)
      .map((cell) => cell.textContent))`)) as string[]
}

export async function listsWalk(t: Test, browser: Browser, { app, origin }: ConsoleApp): Promise<void> {
  const visitor = await Visitor.open(t, browser, origin)
  const { page } = visitor
  await page.route(/\/api\/webhooks\?/, (route) =>
    route.fulfill({ json: { endpoints: [1041, 1042, 1043].map(endpoint), hasNext: false, offset: 0, total: 3 } })
  )
  await page.route(/\/api\/webhooks\/wh_1041$/, (route) => route.fulfill({ json: endpoint(1041) }))
  await page.route(/\/deliveries\?/, (route) =>
    route.fulfill({
      json: { deliveries: ['exhausted', 'abandoned', 'delivered'].map((word, at) => delivery(at, word)) }
    })
  )

  await t.test('Q14: what matters in a list is shown whole, at a desk and on a phone', async (t) => {
    await visitor.goto('/webhooks')
    await visitor.signIn()
    await page.getByText('Customer 1043 Hamburg').waitFor()
    for (const [width, columns] of [
      [1280, [0, 1, 2, 3, 5]],
      [390, [0, 2]]
    ] as const) {
      await page.setViewportSize({ width, height: 750 })
      t.strictSame(await cut(page, columns), [], `endpoints at ${width} pixels`)
      t.equal(await visitor.tooWide(), 0)
      const url = await page.getByRole('link', { name: /customer-1041/ }).boundingBox()
      t.ok((url?.width ?? 0) > 250, 'the URL has most of a line')
    }
    await page.setViewportSize({ width: 1280, height: 750 })
    await visitor.goto('/webhooks/wh_1041/deliveries')
    await page.getByText('abandoned').last().waitFor()
    t.strictSame(await cut(page, [0, 1, 2, 3, 4, 5]), [], 'deliveries at 1280 pixels')
    await page.unrouteAll({ behavior: 'wait' })
    await app.inject('/shop/orders/1042?of=customer-1042')
    await visitor.goto('/requests?route=/shop/orders/')
    await page.getByText('/shop/orders/1042?of=customer-1042').first().waitFor()
    // Two digits of seconds are as wide as a time gets; a fast machine shows `now`.
    await page.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 40_000
    })
    await page
      .getByText(/^\d\d sec\. ago$/)
      .first()
      .waitFor()
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 750 })
      t.strictSame(await cut(page, [0, 1, 3]), [], `requests at ${width} pixels`)
      const request = page.getByText('GET /shop/orders/1042?of=customer-1042').first()
      const isWide = async () => ((await request.boundingBox())?.width ?? 0) > 220
      await until(isWide, 'the request has most of the line')
    }
  })

  await t.test('an endpoint of which half fails is degraded', async (t) => {
    await page.setViewportSize({ width: 1280, height: 750 })
    await page.route(/\/api\/webhooks\?/, (route) =>
      route.fulfill({ json: { endpoints: [endpoint(1041)], hasNext: false, offset: 0, total: 1 } })
    )
    await visitor.goto('/webhooks')
    await page.getByRole('row').filter({ hasText: 'Customer 1041' }).getByText('degraded').waitFor()
    const asked = page.waitForRequest(/\/api\/webhooks\?.*degraded=true/)
    await page.getByRole('button', { name: /^Degraded/ }).click()
    await asked
    t.equal(await page.getByRole('button', { name: /^Degraded/ }).getAttribute('aria-pressed'), 'true')
    await page.unrouteAll({ behavior: 'wait' })
    t.strictSame(await visitor.violations(), [])
  })

  await t.test('Q14: Back returns to the rows and the place that were left', async (t) => {
    for (let number = 0; number < 700; number += 1) {
      app.audit.record({
        category: 'token',
        action: 'token.issued',
        outcome: 'success',
        actor: 'reader',
        resource: `place-${number}`
      })
    }
    await visitor.goto('/audit?actor=reader')
    const viewport = `document.querySelector('.viewport')`
    for (let loaded = 200; loaded <= 600; loaded += 200) {
      await page.getByText(`${loaded}+ events`).waitFor()
      await page.evaluate(`${viewport}.scrollTop = 1e9`)
    }
    await page.getByText('700 events', { exact: true }).waitFor()
    await page.evaluate(`${viewport}.scrollTop = 12000`)
    const row = page
      .getByRole('row')
      .filter({ hasText: /place-39\d/ })
      .first()
    await row.waitFor()
    const before = (await page.evaluate(`${viewport}.scrollTop`)) as number
    await row.getByRole('link').click()
    await page.getByRole('heading', { name: 'token.issued' }).waitFor()
    await page.goBack()
    await row.waitFor()
    t.equal(await page.evaluate(`${viewport}.scrollTop`), before)
    await page.getByText('700 events', { exact: true }).waitFor()
    t.strictSame(visitor.complaints, [])
  })
}
