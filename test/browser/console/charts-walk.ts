/** Charts in the console: drawn in the colours of the page at every width, and readable without seeing them. */
import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import type { ConsoleApp } from './console-app.ts'
import { MOVED, Visitor } from './visitor.ts'

/** Runs in the page: how many pixels of a chart have the colour of each entry of its legend. */
const EYES = `
  window.pixelsOf = (title) => {
    const figure = [...document.querySelectorAll('figure')].find((each) => each.textContent.includes(title))
    const canvas = figure?.querySelector('canvas')
    if (canvas == null || canvas.width === 0) return []
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return [...figure.querySelectorAll('.legend .key')].map((key) => {
      const [red, green, blue] = getComputedStyle(key).backgroundColor.match(/\\d+/g).map(Number)
      let count = 0
      for (let at = 0; at < data.length; at += 4) {
        const off = Math.abs(data[at] - red) + Math.abs(data[at + 1] - green) + Math.abs(data[at + 2] - blue)
        if (off < 8 && data[at + 3] > 200) count += 1
      }
      return count
    })
  }`

async function untilDrawn(page: Page, title: string, isDrawn: (pixels: number[]) => boolean): Promise<number[]> {
  for (let look = 0; ; look += 1) {
    const pixels = (await page.evaluate(`pixelsOf(${JSON.stringify(title)})`)) as number[]
    if (isDrawn(pixels) || look === 100) return pixels
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
}

/** Whether the drawing becomes as wide as its place. */
async function fits(page: Page): Promise<boolean> {
  for (let look = 0; look < 100; look += 1) {
    const widths = `['.plot', '.plot canvas'].map((each) => document.querySelector(each).clientWidth)`
    const [place = 0, canvas = 0] = (await page.evaluate(widths)) as number[]
    if (canvas > 0 && Math.abs(place - canvas) <= 1) return true
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
  return false
}

export async function chartsWalk(t: Test, browser: Browser, { app, origin }: ConsoleApp): Promise<void> {
  const visitor = await Visitor.open(t, browser, origin, { colorScheme: 'light' })
  const { page } = visitor
  const chart = (title: string) => page.locator('figure').filter({ hasText: title })
  const plotIsLoaded = () => visitor.asked.some((url) => /\/plot-[\w-]+\.js$/.test(url))
  await page.addInitScript(MOVED)
  await page.addInitScript(EYES)

  await t.test('drawn with what the page knows, without anything moving', async (t) => {
    await visitor.goto('/audit')
    await visitor.signIn()
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    t.notOk(plotIsLoaded(), 'what draws is loaded by the page that has a chart')
    for (let count = 0; count < 100; count += 1) await app.inject('/broken')
    await visitor.goto('/system')
    const pixels = await untilDrawn(
      page,
      'Requests by minute',
      (found) => found.length === 2 && found.every((count) => count > 0)
    )
    t.ok(pixels.length === 2 && pixels.every((count) => count > 20), `answered and failed: ${pixels}`)
    t.ok(plotIsLoaded())
    for (const title of ['Time to answer', 'Delay of the event loop', 'Memory', 'Waiting in queues']) {
      const found = await untilDrawn(page, title, (each) => each.some((count) => count > 0))
      t.ok(
        found.some((count) => count > 0),
        `${title}: ${found}`
      )
    }
    t.equal(await page.evaluate('window.moved'), 0)
    t.strictSame(await visitor.violations(), [])
  })

  await t.test('in words, as a table, and where the pointer is', async (t) => {
    await page.getByRole('img', { name: /^Requests by minute: \d+ answered; \d{3} failed$/ }).waitFor()
    await page.getByRole('img', { name: /^Memory: resident \d+ MiB, at most \d+ MiB; heap in use/ }).waitFor()
    const requests = chart('Requests by minute')
    await requests.getByText('Figures').focus()
    await page.keyboard.press('Enter')
    const rows = requests.getByRole('row')
    await rows.nth(60).waitFor()
    t.equal(await rows.count(), 61, 'a head and sixty minutes')
    t.match(await rows.nth(1).locator('time').getAttribute('title'), /^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/, 'UTC')
    t.strictSame(await visitor.violations(), [])
    await page.keyboard.press('Enter')
    await rows.first().waitFor({ state: 'detached' })
    const caption = requests.locator('figcaption small')
    t.equal(await caption.textContent(), 'last')
    await requests.locator('.u-over').hover()
    await caption.getByText(/:/).waitFor()
    await page.getByRole('heading', { name: 'System' }).hover()
    await caption.getByText('last').waitFor()
  })

  await t.test('in the dark, on a phone, and on a wall', async (t) => {
    const requests = chart('Requests by minute')
    await page.emulateMedia({ colorScheme: 'dark' })
    const pixels = await untilDrawn(page, 'Requests by minute', (found) => found.every((count) => count > 20))
    t.ok(
      pixels.every((count) => count > 20),
      `in the colours of the dark: ${pixels}`
    )
    for (const width of [320, 3840]) {
      await page.setViewportSize({ width, height: 800 })
      t.ok(await fits(page), `as wide as its place at ${width} pixels`)
      t.equal(await visitor.tooWide(), 0, `${width} pixels`)
      const height = async () => (await requests.boundingBox())?.height
      const before = await height()
      await requests.locator('.u-over').hover()
      await requests.locator('figcaption').getByText(/:/).waitFor()
      t.equal(await height(), before, 'what the pointer is on moves nothing')
      await page.mouse.move(0, 0)
      t.strictSame(await visitor.violations(), [])
    }
    t.strictSame(visitor.complaints, [])
    t.strictSame(visitor.elsewhere(), [])
  })
}
