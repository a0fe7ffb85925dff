/** A message that is sent by hand, and whose end is waited for. */
import type { Clock } from 'svc-kernel'
import { withTimeout } from 'svc-kernel/plugin'
import { StoreTimeout } from '../errors.ts'
import { EndpointClosed } from './attempt.ts'
import type { DeliveryHistory } from './delivery-history.ts'
import type { DeliveryJob } from './delivery-job.ts'

export interface ReplayParts {
  readonly history: Pick<DeliveryHistory, 'nextEnd'>
  readonly worker: { admit(job: DeliveryJob): boolean }
  readonly clock: Clock
  /** Longest time of an attempt. */
  readonly deliveryTimeoutMs: number
}

/** How long a message of a recovery may wait for a slot. */
const LONGEST_WAIT_MS = 300_000

/** @returns whether it was delivered; `null` without room now @throws EndpointClosed, StoreTimeout if it did not end in time */
export async function replayed(job: DeliveryJob, parts: ReplayParts): Promise<boolean | null> {
  const { history, worker, clock, deliveryTimeoutMs } = parts
  const { ended, stop } = history.nextEnd(job.endpointId, job.message().id)
  try {
    if (!worker.admit(job)) return null
    const ms = deliveryTimeoutMs + LONGEST_WAIT_MS
    const late = () => new StoreTimeout(String(ms))
    const end = await withTimeout(ms, clock, () => ended, late)
    if (end === null) throw new EndpointClosed()
    return end.ok
  } finally {
    stop()
  }
}
