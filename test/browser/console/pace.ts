/**
 * How long a step may wait, by the pace of the machine: a limit ends what hangs, and says nothing about speed. It is many
 * times what the same browser takes for a fixed piece of work, and never below what a quiet machine is given.
 */
import type { Browser } from 'playwright-core'

const LEAST_MS = 20_000
const TIMES = 60

const limits = new WeakMap<Browser, Promise<number>>()

/** Milliseconds; measured once per browser. */
export function waitLimit(browser: Browser): Promise<number> {
  const known = limits.get(browser) ?? measured(browser)
  limits.set(browser, known)
  return known
}

async function measured(browser: Browser): Promise<number> {
  const start = performance.now()
  const page = await browser.newPage()
  await page.setContent(`<ul>${'<li>row'.repeat(2000)}</ul>`)
  await page.evaluate('new Promise(requestAnimationFrame)')
  await page.close()
  return Math.max(LEAST_MS, TIMES * (performance.now() - start))
}
