/** Jobs that wait for their next attempt, the earliest first, and the one timer of all of them. */
import type { Clock } from 'svc-kernel'
import { type Job, LONGEST_RETRY_MS } from '../job.ts'

export interface Waiting<J extends Job> {
  readonly job: J
  /** Epoch ms. */
  readonly dueAt: number
}

export class RetryQueue<J extends Job> {
  /** Sorted; those due at the same time keep their order. Most retries are due after all others: they go to the end. */
  #waiting: Waiting<J>[] = []

  get size(): number {
    return this.#waiting.length
  }

  /** When the earliest is due, epoch ms; `null` when none waits. */
  get nextDue(): number | null {
    return this.#waiting[0]?.dueAt ?? null
  }

  push(job: J, dueAt: number): void {
    const before = this.#waiting.findLastIndex((waiting) => waiting.dueAt <= dueAt)
    this.#waiting.splice(before + 1, 0, { job, dueAt })
  }

  /** Takes those that are due by now, the earliest first. */
  takeDue(now: number): J[] {
    const first = this.#waiting.findIndex(({ dueAt }) => !isDue(dueAt, now))
    return this.#waiting.splice(0, first === -1 ? this.#waiting.length : first).map(({ job }) => job)
  }

  /** Those of a lane, the earliest first. */
  of(lane: string): readonly Waiting<J>[] {
    return this.#waiting.filter(({ job }) => job.lane === lane)
  }

  /** Of those that match, takes the one that would wait longest. */
  takeLatest(matches: (job: J) => boolean): J | undefined {
    const index = this.#waiting.findLastIndex(({ job }) => matches(job))
    return index === -1 ? undefined : this.#waiting.splice(index, 1)[0]?.job
  }

  /** Takes all of this lane, or all there are. */
  takeAll(lane?: string): J[] {
    const isTaken = ({ job }: Waiting<J>) => lane === undefined || job.lane === lane
    const taken = this.#waiting.filter(isTaken)
    if (taken.length > 0) this.#waiting = this.#waiting.filter((waiting) => !isTaken(waiting))
    return taken.map(({ job }) => job)
  }
}

/** No retry waits that long: if one seems to, the clock was set back meanwhile. */
function isDue(dueAt: number, now: number): boolean {
  return dueAt <= now || dueAt - now > LONGEST_RETRY_MS
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
