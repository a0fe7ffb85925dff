/**
 * A queue of svc-queue on BullMQ. Every lane has its own queue, so that a long one does not delay the others; the
 * lease of a worker is the locks of its jobs, extended together. All times are those of its backend and of
 * the machine that writes a retry.
 */
import type { Queue } from 'svc-queue'
import {
  type Changes,
  HEARTBEAT_MS,
  type HeldJob,
  MISSED_HEARTBEATS,
  type NewJob,
  type OutcomeBatch,
  type PendingJobs,
  type QueueCounts
} from 'svc-queue/driver'
import { type Backend, backendOf } from './backend.ts'
import type { Directory } from './directory.ts'
import { QueueUnavailable } from './errors.ts'
import { type Hold, Holds } from './holds.ts'
import { Line } from './line.ts'
import { type BullmqQueueOptions, readQueueOptions } from './options.ts'

/** A queue on BullMQ, for `parts.queue` of svc-jobs and svc-webhooks, or `shared` of a `Worker`. */
export interface BullmqQueue extends Queue {
  /** Lets go of the connection, which stays open. Call it when the application has closed. */
  close(): Promise<void>
}

const LEASE_MS = HEARTBEAT_MS * MISSED_HEARTBEATS
/** Lanes that one claim looks at; the next continues from there. */
const VISITED_AT_ONCE = 256
/** The caller may have given up by then: a claim that late gives back what it took. */
const LATE_MS = 5_000

/** A lane, and how many of its jobs may be taken. */
interface Turn {
  readonly lane: string
  readonly places: number
}

export class LaneQueues implements BullmqQueue {
  readonly changes: Changes | undefined
  readonly #name: string
  readonly #backend: Backend
  readonly #directory: Directory
  readonly #lines = new Map<string, Line>()
  readonly #holds = new Holds()
  /** Lanes that have been visited, of all that there are. */
  #visited = 0

  readonly #now: () => number

  constructor(given: BullmqQueueOptions, now = () => performance.now()) {
    this.#now = now
    const options = readQueueOptions(given)
    this.#name = options.name
    this.#backend = backendOf(options)
    this.#directory = this.#backend.directory
    this.changes = this.#backend.changes
  }

  /** No job is held at admission: BullMQ hands out the next one. */
  admit(_worker: string, jobs: readonly NewJob[]): Promise<readonly string[]> {
    return asked(this.#backend, async () => {
      const byLane = Map.groupBy(jobs, ({ lane }) => lane)
      if (byLane.size === 0) return []
      await this.#directory.note(jobs)
      await Promise.all(Array.from(byLane, ([lane, group]) => this.#line(lane).add(group)))
      await this.#directory.list([...byLane.keys()])
      return []
    })
  }

  claim(worker: string, limit: number, room: (lane: string) => number): Promise<readonly HeldJob[]> {
    return asked(this.#backend, async () => {
      if (!this.#holds.knows(worker)) return []
      const askedAt = this.#now()
      const turns = (await this.#visit()).map((lane) => ({
        lane,
        places: room(lane)
      }))
      const claimed = await this.#takeTurns(worker, limit, turns)
      if (this.#holds.knows(worker) && this.#now() - askedAt < LATE_MS) return claimed
      await Promise.all(claimed.map((job) => this.#release(worker, job)))
      return []
    })
  }

  heartbeat(worker: string): Promise<boolean> {
    return asked(this.#backend, async () => {
      if (!this.#holds.knows(worker)) {
        if (!(await this.#directory.enter(worker, LEASE_MS))) return false
        this.#holds.enter(worker)
      } else if (!(await this.#directory.stay(worker, LEASE_MS))) {
        this.#holds.lose(worker)
        return false
      }
      const lanes = await this.#directory.lanes()
      // All of them are awaited together: one that fails while another is waited for would end the process.
      const extending = Array.from(this.#holds.byLane(worker), async ([lane, held]) => {
        const ids = held.map(({ id }) => id)
        for (const id of await this.#line(lane).extend(worker, ids)) this.#holds.drop(worker, id)
      })
      await Promise.all([...extending, ...lanes.map((lane) => this.#line(lane).sweep())])
      return true
    })
  }

  settle(worker: string, { ended, retried, released }: OutcomeBatch): Promise<void> {
    return asked(this.#backend, async () => {
      const again = retried.flatMap(({ id }) => this.#holds.heldBy(worker, id) ?? [])
      await this.#directory.slow(again)
      const over = ended.flatMap((id) => this.#holds.find(id) ?? [])
      await Promise.all([
        ...over.map(({ id, lane }) => this.#line(lane).end(id)),
        ...retried.map(async (retry) => {
          const hold = this.#holds.heldBy(worker, retry.id)
          if (hold !== undefined) await this.#line(hold.lane).retry(worker, retry)
        }),
        ...released.map(async (id) => {
          const hold = this.#holds.heldBy(worker, id)
          if (hold !== undefined) await this.#release(worker, hold)
        })
      ])
      if (over.length > 0) await this.#directory.forget(over)
      for (const { id } of [...over, ...retried]) this.#holds.drop(worker, id)
    })
  }

  /** The newest first, each before the one before it: the oldest is the next in the end. */
  reschedule(lane: string, limit: number): Promise<number> {
    return asked(this.#backend, async () => {
      const line = this.#line(lane)
      const waiting = (await line.waiting()).map((id) => ({ id, lane }))
      const rescheduled = (await this.#directory.unhurried(waiting)).slice(0, limit)
      for (const { id } of rescheduled) await line.reschedule(id)
      await this.#directory.reschedule(rescheduled)
      return rescheduled.length
    })
  }

  discard(lane: string): Promise<number> {
    return asked(this.#backend, async () => {
      await this.#directory.unlist(lane)
      const line = this.#line(lane)
      const ids = await line.clear()
      await this.#directory.forget(ids.map((id) => ({ id, lane })))
      const { waiting, held } = await line.counts()
      if (waiting + held > 0) await this.#directory.list([lane])
      return ids.length
    })
  }

  counts(): Promise<QueueCounts> {
    return asked(this.#backend, async () => {
      const lanes = await this.#directory.lanes()
      const counts = await Promise.all(lanes.map((lane) => this.#line(lane).counts()))
      const total = (key: 'waiting' | 'held') => counts.reduce((sum, each) => sum + each[key], 0)
      const exists = ({ lane, id }: Hold) => this.#line(lane).has(id)
      return {
        waiting: total('waiting'),
        held: total('held'),
        oldestMs: await this.#directory.oldestMs(exists)
      }
    })
  }

  /** BullMQ does not say when what it delays is due; its dashboards show it. */
  pending(lane: string, limit: number): Promise<PendingJobs> {
    return asked(this.#backend, async () => {
      const line = this.#line(lane)
      const [{ waiting, held }, next] = await Promise.all([line.counts(), line.next(limit)])
      return { waiting, held, next: next.map((job) => ({ ...job, lane })) }
    })
  }

  leave(worker: string): Promise<void> {
    return asked(this.#backend, async () => {
      await Promise.all(Array.from(this.#holds.of(worker), (hold) => this.#release(worker, hold)))
      await this.#directory.go(worker)
      this.#holds.leave(worker)
    })
  }

  async close(): Promise<void> {
    const lines = [...this.#lines.values()]
    this.#lines.clear()
    await Promise.all(lines.map((line) => line.close()))
    await this.#backend.close()
  }

  /** One of each lane, then another one of each, as long as there is room and anything due. */
  async #takeTurns(worker: string, limit: number, turns: readonly Turn[]): Promise<HeldJob[]> {
    const claimed: HeldJob[] = []
    let open = turns.filter(({ places }) => places > 0)
    while (open.length > 0 && claimed.length < limit) {
      const asking = open.splice(0, limit - claimed.length)
      const taken = await Promise.allSettled(asking.map(({ lane }) => this.#take(worker, lane)))
      const found = taken.map((result) => (result.status === 'fulfilled' ? result.value : null))
      claimed.push(...found.filter((job) => job !== null))
      const failed = taken.find((result) => result.status === 'rejected')
      if (failed !== undefined) {
        // What is locked already is handed out: no other worker would get it while this one lives.
        if (claimed.length === 0) throw failed.reason
        break
      }
      const again = asking.filter((_, index) => found[index] !== null)
      open = [
        ...open,
        ...again.map(({ lane, places }) => ({
          lane,
          places: places - 1
        }))
      ]
      open = open.filter(({ places }) => places > 0)
    }
    return claimed
  }

  async #take(worker: string, lane: string): Promise<HeldJob | null> {
    const taken = await this.#line(lane).take(worker)
    if (taken === null) return null
    this.#holds.hold(worker, { id: taken.id, lane })
    return { ...taken, lane }
  }

  /** Those whose turn it is. */
  async #visit(): Promise<string[]> {
    const lanes = (await this.#directory.lanes()).sort()
    const from = lanes.length === 0 ? 0 : this.#visited % lanes.length
    const turn = [...lanes.slice(from), ...lanes.slice(0, from)].slice(0, VISITED_AT_ONCE)
    // One further where all are visited each time, so that another one is first.
    this.#visited = from + (turn.length < lanes.length ? turn.length : 1)
    return turn
  }

  async #release(worker: string, { id, lane }: Hold): Promise<void> {
    await this.#line(lane).release(worker, id)
    this.#holds.drop(worker, id)
  }

  #line(lane: string): Line {
    const known = this.#lines.get(lane)
    if (known !== undefined) return known
    // Names of BullMQ have no colon.
    const line = new Line(`${this.#name}-${encodeURIComponent(lane)}`, {
      backend: this.#backend,
      leaseMs: LEASE_MS,
      sweepMs: HEARTBEAT_MS - 1000
    })
    this.#lines.set(lane, line)
    return line
  }
}

/** The cause stays inside: it may name the server and its user. */
async function asked<Value>(backend: Backend, work: () => Promise<Value>): Promise<Value> {
  try {
    await backend.open()
    return await work()
  } catch (cause) {
    throw Object.assign(new QueueUnavailable(), { cause })
  }
}
