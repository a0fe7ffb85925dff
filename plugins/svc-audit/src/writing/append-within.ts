/** Appends a batch, and gives up when the store does not answer in time. A late answer is ignored. */
import type { AuditEvent, Clock } from 'svc-kernel'
import type { AuditStore } from 'svc-stores'
import { AppendTimeout } from '../errors.ts'

/** @throws AppendTimeout, or what the store throws */
export function appendWithin(
  store: Pick<AuditStore, 'append'>,
  batch: readonly AuditEvent[],
  ms: number,
  clock: Clock
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(new AppendTimeout(String(ms))), ms)
    const settle = (conclude: () => void) => {
      clock.clearTimeout(timer)
      conclude()
    }
    // In a promise of its own, so that a store that throws at once is a store that rejects.
    Promise.resolve(batch)
      .then((events) => store.append(events))
      .then(
        () => settle(resolve),
        (error: unknown) => settle(() => reject(error))
      )
  })
}
