/** The jobs of one lane, and which lane gets a free slot: lanes of like health form groups, each with its share of the slots. Pure. */
import type { Job, LaneHealth } from '../job.ts'

/** What belongs to one lane. It exists while it has jobs. */
export interface Lane<J extends Job> {
  readonly name: string
  readonly queued: Fifo<J>
  /** From admission to outcome: queued, under way, or due for a retry. */
  jobs: number
  inFlight: number
  health: LaneHealth
  group: LaneGroup<J>
  /** An attempt has been made, here or by another process. */
  tried: boolean
}

/** Lanes of like health: their jobs, attempts under way and order. */
export class LaneGroup<J extends Job> {
  readonly #members = new Set<Lane<J>>()
  /** Those with jobs to run, in their order. */
  readonly #ready = new Set<Lane<J>>()
  readonly #sizes = new QueueSizes()
  jobs = 0
  inFlight = 0

  /** How many lanes. */
  get size(): number {
    return this.#members.size
  }

  /** Jobs of the lane that has most. */
  get largest(): number {
    return this.#sizes.largest
  }

  join(lane: Lane<J>): void {
    lane.group = this
    this.#members.add(lane)
    for (let size = 1; size <= lane.jobs; size += 1) this.#sizes.grown(size)
    this.jobs += lane.jobs
    this.inFlight += lane.inFlight
    this.offer(lane)
  }

  leave(lane: Lane<J>): void {
    this.#members.delete(lane)
    this.#ready.delete(lane)
    for (let size = lane.jobs; size > 0; size -= 1) this.#sizes.shrunk(size)
    this.jobs -= lane.jobs
    this.inFlight -= lane.inFlight
  }

  grow(lane: Lane<J>): void {
    lane.jobs += 1
    this.jobs += 1
    this.#sizes.grown(lane.jobs)
  }

  shrink(lane: Lane<J>): void {
    this.#sizes.shrunk(lane.jobs)
    lane.jobs -= 1
    this.jobs -= 1
  }

  /** It is in the order while it has something to send. */
  offer(lane: Lane<J>): void {
    if (lane.queued.size > 0) this.#ready.add(lane)
    else this.#ready.delete(lane)
  }

  /** A slot was taken: the others come first now. */
  taken(lane: Lane<J>): void {
    lane.inFlight += 1
    this.inFlight += 1
    if (this.#ready.size > 1) this.#ready.delete(lane)
    this.offer(lane)
  }

  /** A slot was left. */
  left(lane: Lane<J>): void {
    lane.inFlight -= 1
    this.inFlight -= 1
  }

  /** The first in order with fewer attempts under way than this. */
  first(share: number): Lane<J> | undefined {
    for (const lane of this.#ready) if (lane.inFlight < share) return lane
    return undefined
  }

  /** The last in order of those that were never tried. */
  lastUntried(): Lane<J> | undefined {
    let last: Lane<J> | undefined
    for (const lane of this.#ready) if (!lane.tried) last = lane
    return last
  }

  /** The one with most jobs, if not all of them are under way. */
  heaviest(): Lane<J> | undefined {
    for (const lane of this.#members) {
      if (lane.jobs === this.largest && lane.jobs > lane.inFlight) return lane
    }
    return undefined
  }
}

/** How many attempts may run at a time; each number is at least 1. */
export interface SlotShares {
  /** To all lanes that are not quick, together: at most half of the slots, the others are kept for quick ones. */
  readonly notQuick: number
  /** To all that are slow or failing: one fewer, so that a lane that was never tried finds a slot. */
  readonly slowOrFailing: number
  /** To one lane, by its health, while others have jobs too. */
  readonly each: Readonly<Record<LaneHealth, number>>
  /** To the only lane that has any. */
  readonly alone: Readonly<Record<LaneHealth, number>>
}

export function slotShares(maxConcurrent: number): SlotShares {
  const part = (of: number) => Math.max(1, Math.floor(maxConcurrent * of))
  const quarter = part(0.25)
  // Less than half, but of a few slots two: one for what hangs, one for what was never tried.
  const notQuick = Math.max(1, Math.min(2, part(0.5)), Math.ceil(maxConcurrent / 2) - 1)
  return {
    notQuick,
    slowOrFailing: Math.max(1, notQuick - 1),
    each: { unproven: 1, failing: quarter, slow: quarter, quick: part(0.75) },
    alone: { unproven: quarter, failing: quarter, slow: part(0.5), quick: maxConcurrent }
  }
}

export class SlotScheduler<J extends Job> {
  readonly quick = new LaneGroup<J>()
  readonly #unproven = new LaneGroup<J>()
  /** Slow or failing. */
  readonly #slow = new LaneGroup<J>()
  readonly notQuick: readonly LaneGroup<J>[] = [this.#unproven, this.#slow]
  readonly all: readonly LaneGroup<J>[] = [this.quick, ...this.notQuick]
  readonly #shares: SlotShares
  #quickFirst = false
  #fromTheEnd = false

  constructor(maxConcurrent: number) {
    this.#shares = slotShares(maxConcurrent)
  }

  groupOf(health: LaneHealth): LaneGroup<J> {
    if (health === 'quick') return this.quick
    return health === 'unproven' ? this.#unproven : this.#slow
  }

  /**
   * Quick lanes and others alternate, if both have a job and a slot to run it.
   *
   * @param alone only one lane has jobs
   */
  next(alone: boolean): Lane<J> | undefined {
    const share = alone ? this.#shares.alone : this.#shares.each
    const quick = this.quick.first(share.quick)
    this.#quickFirst = !this.#quickFirst
    if (quick !== undefined && this.#quickFirst) return quick
    const { notQuick, slowOrFailing } = this.#shares
    if (!alone && this.#unproven.inFlight + this.#slow.inFlight >= notQuick) return quick
    const unproven = this.#nextUnproven(share.unproven)
    if (unproven !== undefined) return unproven
    if (!alone && this.#slow.inFlight >= slowOrFailing) return quick
    const slow = this.#slow.first(share.slow)
    return slow !== undefined && slow.inFlight < share[slow.health] ? slow : quick
  }

  /** From both ends alternately: of many that were never tried, neither the first nor the last waits for all the others. */
  #nextUnproven(share: number): Lane<J> | undefined {
    const first = this.#unproven.first(share)
    if (first === undefined) return undefined
    this.#fromTheEnd = !this.#fromTheEnd
    return this.#fromTheEnd ? first : (this.#unproven.lastUntried() ?? first)
  }
}

/** The size of the largest lane, kept up as queues grow and shrink by one: asking costs nothing. */
export class QueueSizes {
  /** At an index, how many queues have at least so many jobs. */
  readonly #atLeast: number[] = []
  #largest = 0

  /** Jobs of the largest lane; 0 without one. */
  get largest(): number {
    return this.#largest
  }

  /** @param size of a lane that has one more than before */
  grown(size: number): void {
    this.#atLeast[size] = (this.#atLeast[size] ?? 0) + 1
    this.#largest = Math.max(this.#largest, size)
  }

  /** @param size of a lane that is about to have one less */
  shrunk(size: number): void {
    const left = (this.#atLeast[size] ?? 0) - 1
    this.#atLeast[size] = left
    if (left === 0 && size === this.#largest) this.#largest -= 1
  }
}

/** First in, first out, and the last can be taken back. Taking from either end costs the same whatever the length. */
export class Fifo<Value> {
  #values: (Value | undefined)[] = []
  #first = 0

  get size(): number {
    return this.#values.length - this.#first
  }

  /** Oldest first. */
  get values(): readonly Value[] {
    return this.#values.slice(this.#first) as Value[]
  }

  push(value: Value): void {
    this.#values.push(value)
  }

  /** Puts it before those at the end that it overtakes. */
  insert(value: Value, overtakes: (queued: Value) => boolean): void {
    let at = this.#values.length
    while (at > this.#first && overtakes(this.#values[at - 1] as Value)) at -= 1
    this.#values.splice(at, 0, value)
  }

  /** Takes the oldest. */
  shift(): Value | undefined {
    if (this.size === 0) return undefined
    const value = this.#values[this.#first]
    this.#values[this.#first] = undefined
    this.#first += 1
    // Only when half is empty, so that each value is moved once on average.
    if (this.#first * 2 >= this.#values.length) {
      this.#values = this.#values.slice(this.#first)
      this.#first = 0
    }
    return value
  }

  /** Takes the newest. */
  pop(): Value | undefined {
    return this.size === 0 ? undefined : this.#values.pop()
  }

  /** Takes the newest that matches. */
  takeLast(matches: (value: Value) => boolean): Value | undefined {
    for (let index = this.#values.length - 1; index >= this.#first; index -= 1) {
      if (matches(this.#values[index] as Value)) return this.#values.splice(index, 1)[0]
    }
    return undefined
  }

  /** Empties it. @returns what it held, oldest first */
  drain(): readonly Value[] {
    const { values } = this
    this.#values = []
    this.#first = 0
    return values
  }
}
