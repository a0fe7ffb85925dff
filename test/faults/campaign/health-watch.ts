/** Polls readiness as a balancer does, and measures how long it takes to turn. */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { rawExchange, rawRequest } from '../../support/raw-http.ts'
import type { Subject } from './subject.ts'

export type Colour = 'red' | 'green'

const READINESS = '/svc/ops/health/ready'
const POLL_MS = 50
/** When it has not turned by then, it does not. */
const PATIENCE_MS = 30_000

/** @returns whether the application is ready; one that does not answer is not */
export async function colour({ port }: Subject): Promise<Colour> {
  try {
    return (await rawExchange(port, rawRequest('GET', READINESS))).status === 200 ? 'green' : 'red'
  } catch {
    return 'red'
  }
}

/**
 * Resolves with the time it took to turn, in milliseconds, less the time that this machine let the poll oversleep;
 * `null` when it does not turn.
 */
export async function turns(subject: Subject, wanted: Colour): Promise<number | null> {
  const begun = performance.now()
  let overslept = 0
  while ((await colour(subject)) !== wanted) {
    const asleep = performance.now()
    if (asleep - begun > PATIENCE_MS) return null
    await sleep(POLL_MS)
    overslept += performance.now() - asleep - POLL_MS
  }
  return Math.max(0, Math.round(performance.now() - begun - overslept))
}
