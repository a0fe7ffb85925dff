/**
 * What the console costs a browser: the first paint of each page with the processor slowed to a quarter and no cache, what
 * moves afterwards, the scripts that are fetched; and the frames of lists that are scrolled from end to end. Prints
 * Markdown tables.
 *
 *   npm run bench -- console
 */
import type { CDPSession, Page } from 'playwright-core'
import { PASSWORD, startConsole } from '../../browser/console/console-app.ts'
import { launchChromium } from '../../support/chromium.ts'

const SLOWER = 4
const RUNS = 5
const PAGES = ['/sign-in', '/audit', '/requests', '/webhooks', '/access/matrix', '/people', '/system', '/account']
const FRAMES = 300
const STEP_PX = 400

const { app, origin } = await startConsole()
const browser = await launchChromium()
const page = await (await browser.newContext({ viewport: { width: 1200, height: 750 } })).newPage()
const print = (line: string) => process.stdout.write(`${line}\n`)
const goto = (path: string) => page.goto(`${origin}/svc/console${path}`)

await goto('/audit')
await page.getByLabel('Name').fill('root')
await page.getByLabel('Password').fill(PASSWORD)
await page.keyboard.press('Enter')
await page.getByRole('heading', { name: 'Audit' }).waitFor()
await page.addInitScript(`
  window.moved = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.moved += value
  }).observe({ type: 'layout-shift', buffered: true })
`)
const devices = await page.context().newCDPSession(page)
await firstLoads(devices)
await frames()
await browser.close()
await app.close()

async function firstLoads(session: CDPSession): Promise<void> {
  print(`Node ${process.versions.node}, Chromium ${browser.version()}, median of ${RUNS}\n`)
  print('| page | first paint, ms | layout shift | scripts, bytes |\n|---|---:|---:|---:|')
  await session.send('Network.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  for (const path of PAGES) {
    const runs: { paint: number; moved: number; bytes: number }[] = []
    for (let run = 0; run < RUNS; run += 1) {
      await session.send('Network.clearBrowserCache')
      await goto(path)
      await page.waitForTimeout(1500)
      runs.push(
        await page.evaluate(`({
        paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
        moved: window.moved,
        bytes: performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
      })`)
      )
    }
    const { paint, bytes } = runs.sort((a, b) => a.paint - b.paint)[RUNS >> 1] ?? { paint: 0, bytes: 0 }
    const moved = Math.max(...runs.map((run) => run.moved))
    print(`| ${path} | ${paint.toFixed(0)} | ${moved.toFixed(4)} | ${bytes} |`)
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
}

/** The API is answered here: what is measured is the list. */
async function frames(): Promise<void> {
  print(
    '\n| list | rows | in the page | frame, mean ms | 95th percentile | over 34 ms |\n|---|---:|---:|---:|---:|---:|'
  )
  const events = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `aud_${from + index}`,
      ts: Date.now() - (from + index) * 1000,
      category: 'auth',
      action: 'login.success',
      outcome: 'success',
      actor: `user-${from + index}`,
      resource: null,
      reason: null,
      ip: '192.0.2.1',
      userAgent: null,
      requestId: null,
      metadata: {}
    }))
  await page.route('**/audit/events?*', (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
    return route.fulfill({ json: { items: events(from, 50_000), nextCursor: from === 0 ? '50000' : null } })
  })
  await goto('/audit?paused=1')
  await scrolled('events', 100_000, page)

  const endpoint = { url: 'https://example.com/', events: ['*'], enabled: true, description: null, failureCount: 0 }
  const counts = Array.from({ length: 24 }, (_, hour) => (hour * 7) % 11)
  const recent = { delivered: counts, failed: counts.map((count) => count % 2), meanMs: 12 }
  await page.route('**/security/api/webhooks?*', (route) =>
    route.fulfill({
      json: {
        endpoints: Array.from({ length: 10_000 }, (_, index) => ({
          ...endpoint,
          id: `wh_${index}`,
          lastDeliveryAt: null,
          recent
        })),
        hasNext: false,
        offset: 0
      }
    })
  )
  await goto('/webhooks')
  await scrolled('endpoints', 10_000, page)
}

async function scrolled(name: string, rows: number, shown: Page): Promise<void> {
  await shown.locator('.rows .row').first().waitFor()
  await shown.evaluate(`document.querySelector('.viewport').scrollTop = 1e9`)
  await shown.getByText(`${rows} ${name}`).waitFor({ timeout: 60_000 })
  const times = (await shown.evaluate(`new Promise((resolve) => {
    const viewport = document.querySelector('.viewport')
    const times = []
    let [last, top] = [performance.now(), 0]
    const step = (now) => {
      times.push(now - last)
      last = now
      top += ${STEP_PX}
      viewport.scrollTop = top
      if (times.length < ${FRAMES}) requestAnimationFrame(step)
      else resolve(times)
    }
    requestAnimationFrame(step)
  })`)) as number[]
  const inPage = await shown.locator('.rows .row').count()
  const sorted = [...times].sort((a, b) => a - b)
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0
  const late = times.filter((time) => time > 34).length
  print(`| ${name} | ${rows} | ${inPage} | ${mean.toFixed(1)} | ${p95.toFixed(1)} | ${late} |`)
}
