/** For pictures: an application that started a moment ago answers as if it had run for a day. */
import type { Page } from 'playwright-core'
import { SeededRandom } from '../../support/seeded-random.ts'

const MINUTE_MS = 60_000
const MINUTES = 60

/** @param address what answers say of the receiver, and what pictures show instead */
export async function answerWithPast(page: Page, { local, shown }: { local: string; shown: string }): Promise<void> {
  await page.route(/\/api\/webhooks(\?|\/wh_[^/?]*$)/, async (route) => {
    const answer = await route.fetch()
    return route.fulfill({ response: answer, body: (await answer.text()).replaceAll(local, shown) })
  })
  await page.route('**/svc/ops/api/rates', (route) => route.fulfill({ json: rates() }))
  await page.route('**/svc/ops/api/history', (route) => route.fulfill({ json: history() }))
  await page.route('**/webhooks/*/deliveries?*', async (route) => {
    const answer = await (await route.fetch()).json()
    const deliveries = answer.deliveries.map((delivery: object, index: number) => {
      return { ...delivery, ts: Date.now() - index * 34 * MINUTE_MS, durationMs: 14 + ((index * 37) % 90) }
    })
    return route.fulfill({ json: { ...answer, deliveries } })
  })
}

/** A wave over the hour, from 0 to 1. */
const wave = (part: number) => (1 + Math.sin(part * 7)) / 2

function rates() {
  const random = new SeededRandom(1)
  const last = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
  const minutes = Array.from({ length: MINUTES }, (_, index) => {
    const [load, noise] = [wave(index / MINUTES), random.below(100) / 100]
    const p50 = 3 + load * 2 + noise
    return {
      at: last - (MINUTES - 1 - index) * MINUTE_MS,
      count: Math.round(400 + load * 500 + noise * 120),
      failures: index > 38 && index < 45 ? 60 + random.below(60) : random.below(4),
      p50,
      p95: p50 * (2.6 + noise),
      p99: p50 * (4 + noise * 2)
    }
  })
  const sum = (of: 'count' | 'failures') => minutes.reduce((total, minute) => total + minute[of], 0)
  return { minutes, total: { count: sum('count'), failures: sum('failures'), p50: 4.4, p95: 14.2, p99: 24 } }
}

function history() {
  const random = new SeededRandom(2)
  const samples = Array.from({ length: 2 * MINUTES }, (_, index) => {
    const [load, noise] = [wave(index / MINUTES / 2), random.below(100) / 100]
    const p99Ms = 2 + load * 6 + noise * 3
    return {
      at: Date.now() - (2 * MINUTES - 1 - index) * (MINUTE_MS / 2),
      eventLoop: { p50Ms: 0.2 + noise / 5, p99Ms, maxMs: p99Ms * (1.2 + noise), utilization: 0.2 + load / 3 },
      memory: { rss: (120 + load * 12) * 1_048_576, heapUsed: (44 + ((index * 5) % 30)) * 1_048_576 },
      queues: [
        { name: 'webhooks', depth: index > 80 && index < 92 ? 40 + random.below(30) : random.below(4) },
        { name: 'audit', depth: random.below(3) }
      ]
    }
  })
  return { samples }
}
