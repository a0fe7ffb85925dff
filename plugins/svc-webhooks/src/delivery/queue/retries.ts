/** Deliveries that wait for their next attempt, the earliest first, and the one timer of all of them. */
import type { Clock } from 'svc-kernel'
import type { DeliveryJob } from './delivery-job.ts'

/** No retry waits longer, in ms. */
export const LONGEST_BACKOFF_MS = 300_000

export interface Waiting {
  readonly job: DeliveryJob
  /** Epoch ms. */
  readonly dueAt: number
}

export class RetryQueue {
  /** Sorted; those due at the same time keep their order. Most retries are due after all others: they go to the end. */
  #waiting: Waiting[] = []

  get size(): number {
    return this.#waiting.length
  }

  /** When the earliest is due, epoch ms; `null` when none waits. */
  get nextDue(): number | null {
    return this.#waiting[0]?.dueAt ?? null
  }

  push(job: DeliveryJob, dueAt: number): void {
    let low = 0
    let high = this.#waiting.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#waiting[middle]?.dueAt ?? 0) <= dueAt) low = middle + 1
      else high = middle
    }
    this.#waiting.splice(low, 0, { job, dueAt })
  }

  /** Takes those that are due by now, the earliest first. */
  takeDue(now: number): DeliveryJob[] {
    const first = this.#waiting.findIndex(({ dueAt }) => !isDue(dueAt, now))
    return this.#waiting.splice(0, first === -1 ? this.#waiting.length : first).map(({ job }) => job)
  }

  /** Those of an endpoint, the earliest first. */
  of(endpointId: string): readonly Waiting[] {
    return this.#waiting.filter(({ job }) => job.endpointId === endpointId)
  }

  /** Of those that match, takes the one that would wait longest. */
  takeLatest(matches: (job: DeliveryJob) => boolean): DeliveryJob | undefined {
    const index = this.#waiting.findLastIndex(({ job }) => matches(job))
    return index === -1 ? undefined : this.#waiting.splice(index, 1)[0]?.job
  }

  /** Takes all of this endpoint, or all there are. */
  takeAll(endpointId?: string): DeliveryJob[] {
    const isTaken = ({ job }: Waiting) => endpointId === undefined || job.endpointId === endpointId
    const taken = this.#waiting.filter(isTaken)
    if (taken.length > 0) this.#waiting = this.#waiting.filter((waiting) => !isTaken(waiting))
    return taken.map(({ job }) => job)
  }
}

/** No retry waits that long: where one seems to, the clock was set back meanwhile. */
function isDue(dueAt: number, now: number): boolean {
  return dueAt <= now || dueAt - now > LONGEST_BACKOFF_MS
}

export class RetryTimer {
  readonly #clock: Clock
  readonly #fire: () => void
  #timer: unknown = null
  #at: number | null = null

  /** @param fire called when the time that was set has come */
  constructor(clock: Clock, fire: () => void) {
    this.#clock = clock
    this.#fire = fire
  }

  /** @param at epoch ms; `null` when nothing waits */
  set(at: number | null): void {
    if (at === this.#at) return
    this.cancel()
    if (at === null) return
    this.#at = at
    this.#timer = this.#clock.setTimeout(
      () => {
        this.#timer = null
        this.#at = null
        this.#fire()
      },
      Math.max(0, at - this.#clock.now())
    )
  }

  cancel(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    this.#timer = null
    this.#at = null
  }
}
