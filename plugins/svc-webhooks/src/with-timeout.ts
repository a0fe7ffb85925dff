/** A deadline for work that cannot be stopped. */
import type { Clock } from 'svc-kernel'
import { StoreTimeout } from './errors.ts'

/**
 * Waits for the work at most this long: otherwise it would keep whoever waits. A late answer is ignored.
 *
 * @param work begins in a promise, so that one that throws at once is one that rejects
 * @param late the error where it takes longer; by default a store's
 * @throws what the work throws, or `late`
 */
export function withTimeout<Value>(
  ms: number,
  clock: Clock,
  work: () => Promise<Value>,
  late: () => Error = () => new StoreTimeout(String(ms))
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(late()), ms)
    Promise.resolve()
      .then(work)
      .then(resolve, reject)
      .finally(() => clock.clearTimeout(timer))
  })
}
