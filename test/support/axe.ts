/** What axe finds on a page: rules of accessibility that it breaks. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Frame, Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const RUN = `(async () => {
  if (typeof axe === 'undefined') { ${axe} }
  const { violations } = await axe.run(document, { resultTypes: ['violations'] })
  return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, html }) => target + ' ' + html).join(' | '))
})()`

const LIMIT_MS = 60_000

/** @returns a line for each rule, with what breaks it @throws where axe has no result after a minute */
export async function violationsOf(shown: Page | Frame): Promise<string[]> {
  const page = 'page' in shown ? shown.page() : shown
  // One behind another page of the browser may wait for its next frame for ever.
  await page.bringToFront()
  const over = new AbortController()
  try {
    return await Promise.race([shown.evaluate<string[]>(RUN), late(shown.url(), over.signal)])
  } finally {
    over.abort()
  }
}

async function late(url: string, signal: AbortSignal): Promise<never> {
  await sleep(LIMIT_MS, undefined, { signal })
  throw new Error(`axe has no result for ${url} after ${LIMIT_MS / 1000} s`)
}
