/** How fast a side adds and runs jobs, in jobs a second. */
import { performance } from 'node:perf_hooks'
import type { Side } from './side.ts'
import { Turnout } from './sides.ts'

export const CONCURRENCY = 50
/** Jobs of one call that adds many. */
const AT_ONCE = 1_000
/** Callers that add one by one. */
const CALLERS = 10

export function bulkRate({ addMany }: Side, jobs: number): Promise<number> {
  return rate(jobs, async () => {
    for (let first = 0; first < jobs; first += AT_ONCE) {
      await addMany(Array.from({ length: Math.min(AT_ONCE, jobs - first) }, (_, index) => first + index))
    }
  })
}

export function singleRate({ add }: Side, jobs: number): Promise<number> {
  let next = 0
  const caller = async () => {
    while (next < jobs) {
      next += 1
      await add(next)
    }
  }
  return rate(jobs, () => Promise.all(Array.from({ length: CALLERS }, caller)))
}

/** From the start of a worker until it has begun all and stopped. */
export function runRate(side: Side, jobs: number): Promise<number> {
  return rate(jobs, async () => {
    const turnout = new Turnout()
    const stop = await side.work(CONCURRENCY, turnout.begun)
    await turnout.of(jobs)
    await stop()
  })
}

async function rate(jobs: number, work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return (jobs / (performance.now() - begin)) * 1000
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}
