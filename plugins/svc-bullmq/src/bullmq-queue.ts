/**
 * The durable queue of svc-webhooks on BullMQ. Every endpoint has a queue of its own, so that a long line of one does not
 * stand before the others; a lease is the locks of its jobs, extended together. All times are those of its backend and of
 * the machine that writes a retry.
 */
import {
  BEAT_MS,
  type DurableCounts,
  type DurablePending,
  type DurableQueue,
  type EndpointChanges,
  type HeldDelivery,
  MISSED_BEATS,
  type NewDelivery,
  type Settlement
} from 'svc-webhooks'
import { type Backend, backendOf } from './backend.ts'
import type { Directory } from './directory.ts'
import { QueueUnavailable } from './errors.ts'
import { grouped, type Hold, Holds } from './holds.ts'
import { Line } from './line.ts'
import { type BullmqQueueOptions, readQueueOptions } from './options.ts'

export interface BullmqQueue extends DurableQueue {
  /** Lets go of the connection, which stays open. Call it when the application has closed. */
  close(): Promise<void>
}

const LEASE_MS = BEAT_MS * MISSED_BEATS
/** Endpoints that one claim looks at; the next goes on from there. */
const VISITED_AT_ONCE = 256
/** Whoever asked may have given up by then: what such a late claim took is given back. */
const LATE_MS = 5_000

/** An endpoint, and how many of its deliveries may be taken. */
interface Turn {
  readonly endpointId: string
  readonly places: number
}

export class EndpointQueues implements BullmqQueue {
  readonly changes: EndpointChanges | undefined
  readonly #name: string
  readonly #backend: Backend
  readonly #directory: Directory
  readonly #lines = new Map<string, Line>()
  readonly #holds = new Holds()
  /** Endpoints that have been visited, of all that there are. */
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

  /** None is held by whoever admits it: BullMQ gives out what is next. */
  admit(_holder: string, deliveries: readonly NewDelivery[]): Promise<readonly string[]> {
    return asked(this.#backend, async () => {
      const byEndpoint = grouped(deliveries)
      if (byEndpoint.size === 0) return []
      await this.#directory.note(deliveries)
      await Promise.all(Array.from(byEndpoint, ([endpointId, group]) => this.#line(endpointId).add(group)))
      await this.#directory.list([...byEndpoint.keys()])
      return []
    })
  }

  claim(holder: string, limit: number, room: (endpointId: string) => number): Promise<readonly HeldDelivery[]> {
    return asked(this.#backend, async () => {
      if (!this.#holds.knows(holder)) return []
      const askedAt = this.#now()
      const turns = (await this.#visit()).map((endpointId) => ({
        endpointId,
        places: room(endpointId)
      }))
      const claimed = await this.#takeTurns(holder, limit, turns)
      if (this.#holds.knows(holder) && this.#now() - askedAt < LATE_MS) return claimed
      await Promise.all(claimed.map((delivery) => this.#release(holder, delivery)))
      return []
    })
  }

  extend(holder: string): Promise<boolean> {
    return asked(this.#backend, async () => {
      if (!this.#holds.knows(holder)) {
        if (!(await this.#directory.enter(holder, LEASE_MS))) return false
        this.#holds.enter(holder)
      } else if (!(await this.#directory.stay(holder, LEASE_MS))) {
        this.#holds.lose(holder)
        return false
      }
      const extending = Array.from(this.#holds.byEndpoint(holder), async ([endpointId, held]) => {
        const ids = held.map(({ id }) => id)
        for (const id of await this.#line(endpointId).extend(holder, ids)) this.#holds.drop(holder, id)
      })
      const endpoints = await this.#directory.endpoints()
      await Promise.all([...extending, ...endpoints.map((endpointId) => this.#line(endpointId).sweep())])
      return true
    })
  }

  settle(holder: string, { ended, retried, released }: Settlement): Promise<void> {
    return asked(this.#backend, async () => {
      const again = retried.flatMap(({ id }) => this.#holds.heldBy(holder, id) ?? [])
      await this.#directory.slow(again)
      const over = ended.flatMap((id) => this.#holds.find(id) ?? [])
      await Promise.all([
        ...over.map(({ id, endpointId }) => this.#line(endpointId).end(id)),
        ...retried.map(async (retry) => {
          const hold = this.#holds.heldBy(holder, retry.id)
          if (hold !== undefined) await this.#line(hold.endpointId).retry(holder, retry)
        }),
        ...released.map(async (id) => {
          const hold = this.#holds.heldBy(holder, id)
          if (hold !== undefined) await this.#release(holder, hold)
        })
      ])
      if (over.length > 0) await this.#directory.forget(over)
      for (const { id } of [...over, ...retried]) this.#holds.drop(holder, id)
    })
  }

  /** The newest first, each before the one before it: the oldest is the next in the end. */
  hasten(endpointId: string, limit: number): Promise<number> {
    return asked(this.#backend, async () => {
      const line = this.#line(endpointId)
      const waiting = (await line.waiting()).map((id) => ({ id, endpointId }))
      const hastened = (await this.#directory.unhurried(waiting)).slice(0, limit)
      for (const { id } of hastened) await line.hasten(id)
      await this.#directory.hasten(hastened)
      return hastened.length
    })
  }

  discard(endpointId: string): Promise<number> {
    return asked(this.#backend, async () => {
      await this.#directory.unlist(endpointId)
      const line = this.#line(endpointId)
      const ids = await line.clear()
      await this.#directory.forget(ids.map((id) => ({ id, endpointId })))
      const { waiting, held } = await line.counts()
      if (waiting + held > 0) await this.#directory.list([endpointId])
      return ids.length
    })
  }

  counts(): Promise<DurableCounts> {
    return asked(this.#backend, async () => {
      const endpoints = await this.#directory.endpoints()
      const counts = await Promise.all(endpoints.map((endpointId) => this.#line(endpointId).counts()))
      const total = (key: 'waiting' | 'held') => counts.reduce((sum, each) => sum + each[key], 0)
      const exists = ({ endpointId, id }: Hold) => this.#line(endpointId).has(id)
      return {
        waiting: total('waiting'),
        held: total('held'),
        oldestMs: await this.#directory.oldestMs(exists)
      }
    })
  }

  /** BullMQ does not say when what it delays is due; its dashboards show it. */
  pending(endpointId: string, limit: number): Promise<DurablePending> {
    return asked(this.#backend, async () => {
      const line = this.#line(endpointId)
      const [{ waiting, held }, next] = await Promise.all([line.counts(), line.next(limit)])
      return { waiting, held, next: next.map((delivery) => ({ ...delivery, endpointId })) }
    })
  }

  leave(holder: string): Promise<void> {
    return asked(this.#backend, async () => {
      await Promise.all(Array.from(this.#holds.of(holder), (hold) => this.#release(holder, hold)))
      await this.#directory.go(holder)
      this.#holds.leave(holder)
    })
  }

  async close(): Promise<void> {
    const lines = [...this.#lines.values()]
    this.#lines.clear()
    await Promise.all(lines.map((line) => line.close()))
    await this.#backend.close()
  }

  /** One of each endpoint, then another one of each, as long as there is room and anything due. */
  async #takeTurns(holder: string, limit: number, turns: readonly Turn[]): Promise<HeldDelivery[]> {
    const claimed: HeldDelivery[] = []
    let open = turns.filter(({ places }) => places > 0)
    while (open.length > 0 && claimed.length < limit) {
      const asking = open.splice(0, limit - claimed.length)
      const taken = await Promise.allSettled(asking.map(({ endpointId }) => this.#take(holder, endpointId)))
      const found = taken.map((result) => (result.status === 'fulfilled' ? result.value : null))
      claimed.push(...found.filter((delivery) => delivery !== null))
      const failed = taken.find((result) => result.status === 'rejected')
      if (failed !== undefined) {
        // What is locked already is handed out: nobody else would get it while this holder lives.
        if (claimed.length === 0) throw failed.reason
        break
      }
      const again = asking.filter((_, index) => found[index] !== null)
      open = [
        ...open,
        ...again.map(({ endpointId, places }) => ({
          endpointId,
          places: places - 1
        }))
      ]
      open = open.filter(({ places }) => places > 0)
    }
    return claimed
  }

  async #take(holder: string, endpointId: string): Promise<HeldDelivery | null> {
    const taken = await this.#line(endpointId).take(holder)
    if (taken === null) return null
    this.#holds.hold(holder, { id: taken.id, endpointId })
    return { ...taken, endpointId }
  }

  /** Those whose turn it is. */
  async #visit(): Promise<string[]> {
    const endpoints = (await this.#directory.endpoints()).sort()
    const from = endpoints.length === 0 ? 0 : this.#visited % endpoints.length
    const turn = [...endpoints.slice(from), ...endpoints.slice(0, from)].slice(0, VISITED_AT_ONCE)
    // One further where all are visited each time, so that another one is first.
    this.#visited = from + (turn.length < endpoints.length ? turn.length : 1)
    return turn
  }

  async #release(holder: string, { id, endpointId }: Hold): Promise<void> {
    await this.#line(endpointId).release(holder, id)
    this.#holds.drop(holder, id)
  }

  #line(endpointId: string): Line {
    const known = this.#lines.get(endpointId)
    if (known !== undefined) return known
    const line = new Line(`${this.#name}-${endpointId}`, {
      backend: this.#backend,
      leaseMs: LEASE_MS,
      sweepMs: BEAT_MS - 1000
    })
    this.#lines.set(endpointId, line)
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
