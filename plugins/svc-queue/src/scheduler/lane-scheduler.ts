/**
 * The bounded queue of one process, and whose turn it is. A job counts from its admission to its outcome, also while it
 * runs or waits for a retry. Lanes alternate, each within its share of the slots. Lanes that are not quick hold less than
 * half of the slots together, and half of the queue once others want it: a lane that hangs cannot delay one that works.
 * So it is with jobs that anyone can provoke.
 */
import { type Job, type LaneHealth, QUICK_MS } from '../job.ts'
import type { QueueBounds } from '../options.ts'
import { Fifo, type Lane, type LaneGroup, SlotScheduler } from './lane.ts'
import { RetryQueue, type Waiting } from './retries.ts'
import { Sources } from './sources.ts'

/** A lane that another process removed is not forgotten here: the oldest makes room. */
const MAX_KNOWN = 10_000

export class LaneScheduler<J extends Job = Job> {
  readonly #bounds: QueueBounds
  readonly #slots: SlotScheduler<J>
  readonly #lanes = new Map<string, Lane<J>>()
  /** What the last attempt said of a lane, also while it has no jobs. */
  readonly #known = new Map<string, LaneHealth>()
  /** Attempts at quick lanes, the earliest first. */
  readonly #timed: { readonly job: J; readonly began: number }[] = []
  readonly #retries = new RetryQueue<J>()
  readonly #sources = new Sources()
  #size = 0
  #inFlight = 0

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
    this.#slots = new SlotScheduler<J>(bounds.maxConcurrent)
  }

  /** Jobs in it, running ones included. */
  get size(): number {
    return this.#size
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** When the earliest retry is due, epoch ms; `null` when none waits. */
  get nextDue(): number | null {
    return this.#retries.nextDue
  }

  /** Jobs that wait in quick lanes: slots will soon be free for them. */
  get soon(): number {
    const { jobs, inFlight } = this.#slots.quick
    return jobs - inFlight
  }

  /**
   * How many more jobs of a lane may come in, if those without room wait in a shared queue: lanes that are not quick share
   * half of the places, so that there is always room for quick ones.
   */
  room(name: string): number {
    const { maxQueue, maxConcurrent } = this.#bounds
    const { quick, notQuick } = this.#slots
    const lane = this.#lanes.get(name)
    const half = Math.ceil(maxQueue / 2)
    const own = lane?.jobs ?? 0
    const free = maxQueue - this.#size
    if ((lane?.health ?? this.#known.get(name)) === 'quick') return Math.min(half - own, free)
    const others = notQuick.reduce((sum, group) => sum + group.size, lane === undefined ? 1 : 0)
    const share = Math.max(1, Math.min(maxConcurrent, Math.floor(half / others)))
    return Math.min(share - own, half - (this.#size - quick.jobs), free)
  }

  /** Jobs of a lane that wait for a slot, or for a retry. */
  queuedOf(name: string): number {
    const lane = this.#lanes.get(name)
    return lane === undefined ? 0 : lane.jobs - lane.inFlight
  }

  /** @returns what found no room: `null`, the newcomer, or the one that it displaced */
  admit(job: J): J | null {
    const displaced = this.#size < this.#bounds.maxQueue ? null : this.#makeRoomFor(job)
    if (displaced === undefined) return job
    this.#enter(job)
    return displaced
  }

  /** Takes the next job into a slot; `undefined` when no slot is free or nothing may take it. @param now epoch ms */
  next(now: number): J | undefined {
    if (this.#inFlight >= this.#bounds.maxConcurrent) return undefined
    this.#demote(now)
    const lane = this.#slots.next(this.#lanes.size === 1)
    const job = lane?.queued.shift()
    if (lane === undefined || job === undefined) return undefined
    lane.tried = true
    lane.group.taken(lane)
    this.#inFlight += 1
    if (lane.health === 'quick') this.#timed.push({ job, began: now })
    return job
  }

  /**
   * The attempt of the job in a slot has failed, and another will follow. It stays in the queue.
   *
   * @param health absent if the attempt says nothing about the lane
   */
  retryAt(job: J, dueAt: number, health?: LaneHealth): void {
    this.#leaveSlot(job, health)
    this.#retries.push(job, dueAt)
  }

  /** The job in a slot has ended. @param health absent if the attempt says nothing about the lane */
  finish(job: J, health?: LaneHealth): void {
    this.#leaveSlot(job, health)
    this.#leave(job)
  }

  /** Lets the retries that are due wait for a slot. */
  promote(now: number): void {
    for (const job of this.#retries.takeDue(now)) {
      const lane = this.#lanes.get(job.lane)
      if (lane === undefined) continue
      lane.queued.push(job)
      lane.group.offer(lane)
    }
  }

  /** Takes out every job that is not in a slot: of one lane, or of all. */
  clear(name?: string): J[] {
    let jobs = this.#retries.takeAll(name)
    for (const lane of this.#lanes.values()) {
      if (name !== undefined && name !== lane.name) continue
      jobs = jobs.concat(lane.queued.drain())
      lane.group.offer(lane)
    }
    for (const job of jobs) this.#leave(job)
    return jobs
  }

  /** @param now epoch ms: what is queued is due */
  pendingOf(name: string, now: number): { readonly running: number; readonly waiting: readonly Waiting<J>[] } {
    const lane = this.#lanes.get(name)
    const queued = lane?.queued.values.map((job) => ({ job, dueAt: now })) ?? []
    return { running: lane?.inFlight ?? 0, waiting: [...queued, ...this.#retries.of(name)] }
  }

  /** Sets the health of a lane without an attempt here, as another process knows it. */
  presume(name: string, health: LaneHealth): void {
    if (!this.#known.has(name)) this.#learn(name, health)
  }

  /** What was learnt of a lane holds no longer. */
  forget(name: string): void {
    this.#learn(name, 'unproven')
    this.#known.delete(name)
    const lane = this.#lanes.get(name)
    if (lane !== undefined) lane.tried = false
  }

  /** A lane whose attempt has been under way for too long is not quick any more. */
  #demote(now: number): void {
    for (let first = this.#timed[0]; first !== undefined && now - first.began > QUICK_MS; first = this.#timed[0]) {
      this.#timed.shift()
      this.#learn(first.job.lane, 'slow')
    }
  }

  #enter(job: J): void {
    const lane = this.#lanes.get(job.lane) ?? this.#open(job.lane)
    const { turn } = job
    if (turn === undefined) lane.queued.push(job)
    else lane.queued.insert(job, (queued) => queued.turn !== undefined && turn < queued.turn)
    lane.group.grow(lane)
    lane.group.offer(lane)
    this.#size += 1
    this.#sources.entered(job)
  }

  #open(name: string): Lane<J> {
    const known = this.#known.get(name)
    const health = known ?? 'unproven'
    const group = this.#slots.groupOf(health)
    const tried = known !== undefined
    const lane = { name, queued: new Fifo<J>(), jobs: 0, inFlight: 0, health, group, tried }
    this.#lanes.set(name, lane)
    group.join(lane)
    return lane
  }

  #leaveSlot(job: J, health: LaneHealth | undefined): void {
    const lane = this.#lanes.get(job.lane)
    const place = this.#timed.findIndex((timed) => timed.job === job)
    if (place !== -1) this.#timed.splice(place, 1)
    this.#inFlight -= 1
    lane?.group.left(lane)
    if (lane !== undefined && health !== undefined) this.#learn(job.lane, health)
  }

  #leave(job: J): void {
    this.#size -= 1
    this.#sources.left(job)
    const lane = this.#lanes.get(job.lane)
    if (lane === undefined) return
    lane.group.shrink(lane)
    if (lane.jobs > 0) return
    this.#lanes.delete(job.lane)
    lane.group.leave(lane)
  }

  #learn(name: string, health: LaneHealth): void {
    this.#known.set(name, health)
    const [oldest = ''] = this.#known.keys()
    if (this.#known.size > MAX_KNOWN) this.#known.delete(oldest)
    const lane = this.#lanes.get(name)
    if (lane === undefined) return
    lane.health = health
    const group = this.#slots.groupOf(health)
    if (lane.group === group) return
    lane.group.leave(lane)
    group.join(lane)
  }

  #makeRoomFor(job: J): J | undefined {
    const provoked = this.#sources.givesWay(job, this.#bounds.maxQueue / 2)
    if (provoked === 'itself') return undefined
    const displaced = provoked === null ? undefined : this.#takeLatestFrom(provoked.source)
    return displaced ?? this.#displaceFor(job.lane)
  }

  /** Takes out the job that a source provoked last, of those that are not in a slot. */
  #takeLatestFrom(source: string): J | undefined {
    const isFrom = (job: J) => job.source === source
    for (const lane of this.#lanes.values()) {
      const job = lane.queued.takeLast(isFrom)
      if (job === undefined) continue
      lane.group.offer(lane)
      this.#leave(job)
      return job
    }
    const job = this.#retries.takeLatest(isFrom)
    if (job !== undefined) this.#leave(job)
    return job
  }

  /**
   * A quick lane displaces what is not quick while that holds more than half of the queue. Among its like, and
   * if quick lanes hold more than half, one below the average displaces the one that holds most.
   */
  #displaceFor(name: string): J | undefined {
    const lane = this.#lanes.get(name)
    const isQuick = (lane?.health ?? this.#known.get(name)) === 'quick'
    const { quick, notQuick, all } = this.#slots
    const half = this.#bounds.maxQueue / 2
    if (isQuick && this.#size - quick.jobs > half) return this.#displaceIn(notQuick)
    const rivals = isQuick ? [quick] : quick.jobs > half ? all : notQuick
    const own = lane?.jobs ?? 0
    const jobs = rivals.reduce((sum, group) => sum + group.jobs, 0)
    const lanes = rivals.reduce((sum, group) => sum + group.size, 0)
    const largest = Math.max(...rivals.map((group) => group.largest))
    // Known at once if there is nothing to displace: in a burst nothing is searched.
    return own >= jobs / lanes || largest <= own + 1 ? undefined : this.#displaceIn(rivals)
  }

  #displaceIn(groups: readonly LaneGroup<J>[]): J | undefined {
    const group = groups.reduce((one, other) => (other.largest > one.largest ? other : one))
    const lane = group.heaviest()
    if (lane === undefined) return undefined
    const displaced = lane.queued.pop() ?? this.#retries.takeLatest((job) => job.lane === lane.name)
    group.offer(lane)
    if (displaced !== undefined) this.#leave(displaced)
    return displaced
  }
}
