/** Waits for a store, but not for ever: one that does not answer would keep its slot. A late answer is ignored. */
import type { Clock } from 'svc-kernel'
import { StoreTimeout } from '../errors.ts'

/**
 * @param work begins in a promise, so that a store that throws at once is a store that rejects
 * @throws StoreTimeout, or what the store throws
 */
export function within<Value>(ms: number, clock: Clock, work: () => Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(new StoreTimeout(String(ms))), ms)
    Promise.resolve()
      .then(work)
      .then(resolve, reject)
      .finally(() => clock.clearTimeout(timer))
  })
}
