/** Deliveries that wait for their next attempt, the earliest first; those due at the same time keep their order. */
import { LONGEST_BACKOFF_MS } from './backoff.ts'
import type { DeliveryJob } from './delivery-job.ts'

interface Waiting {
  readonly job: DeliveryJob
  /** Epoch ms. */
  readonly dueAt: number
  readonly turn: number
}

export class RetryHeap {
  #heap: Waiting[] = []
  #turn = 0

  get size(): number {
    return this.#heap.length
  }

  /** When the earliest is due, epoch ms; `null` when none waits. */
  get nextDue(): number | null {
    return this.#heap[0]?.dueAt ?? null
  }

  push(job: DeliveryJob, dueAt: number): void {
    this.#turn += 1
    this.#heap.push({ job, dueAt, turn: this.#turn })
    this.#rise(this.#heap.length - 1)
  }

  /** Takes the earliest that is due by now. */
  takeDue(now: number): DeliveryJob | undefined {
    const first = this.#heap[0]
    if (first === undefined || !isDue(first, now)) return undefined
    this.#removeAt(0)
    return first.job
  }

  /** Takes the one of this endpoint that would wait longest. */
  takeLatest(endpointId: string): DeliveryJob | undefined {
    let latest = -1
    for (const [index, waiting] of this.#heap.entries()) {
      if (waiting.job.endpointId !== endpointId) continue
      const other = this.#heap[latest]
      if (other === undefined || isEarlier(other, waiting)) latest = index
    }
    const job = this.#heap[latest]?.job
    if (job !== undefined) this.#removeAt(latest)
    return job
  }

  /** Takes all of this endpoint, or all there are. */
  takeAll(endpointId?: string): DeliveryJob[] {
    const all = this.#heap
    this.#heap = []
    const taken: DeliveryJob[] = []
    for (const waiting of all) {
      if (endpointId === undefined || waiting.job.endpointId === endpointId) taken.push(waiting.job)
      else {
        this.#heap.push(waiting)
        this.#rise(this.#heap.length - 1)
      }
    }
    return taken
  }

  #removeAt(index: number): void {
    const last = this.#heap.pop()
    if (last === undefined || index === this.#heap.length) return
    this.#heap[index] = last
    this.#rise(index)
    this.#sink(index)
  }

  #rise(start: number): void {
    let index = start
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.#swapWhenEarlier(index, parent)) return
      index = parent
    }
  }

  #sink(start: number): void {
    let index = start
    for (;;) {
      const left = 2 * index + 1
      const child = this.#isEarlierAt(left + 1, left) ? left + 1 : left
      if (!this.#swapWhenEarlier(child, index)) return
      index = child
    }
  }

  #swapWhenEarlier(lower: number, upper: number): boolean {
    if (!this.#isEarlierAt(lower, upper)) return false
    const [below, above] = [this.#heap[lower], this.#heap[upper]]
    if (below === undefined || above === undefined) return false
    this.#heap[lower] = above
    this.#heap[upper] = below
    return true
  }

  #isEarlierAt(index: number, than: number): boolean {
    const [one, other] = [this.#heap[index], this.#heap[than]]
    return one !== undefined && other !== undefined && isEarlier(one, other)
  }
}

/** No retry waits that long: where one seems to, the clock was set back meanwhile. */
function isDue({ dueAt }: Waiting, now: number): boolean {
  return dueAt <= now || dueAt - now > LONGEST_BACKOFF_MS
}

function isEarlier(one: Waiting, other: Waiting): boolean {
  return one.dueAt === other.dueAt ? one.turn < other.turn : one.dueAt < other.dueAt
}
