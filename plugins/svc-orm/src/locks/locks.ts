/** Locks by name over one database: one holder among all instances that share it. */
import type { Clock } from 'svc-kernel'
import { randomId } from 'svc-kernel/plugin'
import { ConnectionUnavailable } from 'svc-stores'
import { insideTransaction } from 'svc-stores/table'
import { Locked, LockInTransaction } from '../errors.ts'
import type { OrmConnector } from '../repository/entity-repositories.ts'
import { type HeldLock, Lease } from './lease.ts'
import { readLockOptions } from './lock-options.ts'
import { type LockRow, LockTable, lockPlan } from './lock-table.ts'
import { Turns } from './turns.ts'
import { Watches } from './watches.ts'

export interface LocksParts {
  readonly database: OrmConnector
  readonly clock: Clock
  /** What others are told of this instance: `host:pid`. */
  readonly holder: string
}

/** A lock that an instance holds. */
export interface ListedLock {
  readonly name: string
  /** The instance, `host:pid`. */
  readonly holder: string
  /** Epoch ms, by the clock of that instance. */
  readonly since: number
  /** The fencing number; `null` while the instance acquires the lock. */
  readonly fence: number | null
}

/** How often a waiting caller looks, in milliseconds; of a short lease, ten times in it. */
const LOOK_MS = 250

/** How long the shutdown waits for work under a lock, in milliseconds. */
const CLOSE_MS = 5000

/** Locks that a listing shows. */
const LISTED = 200

interface Taken {
  readonly lease: Lease
  readonly fence: number
}

export class Locks {
  readonly #parts: LocksParts
  readonly #table: LockTable
  readonly #turns = new Turns()
  readonly #watches: Watches
  readonly #closing = new AbortController()
  readonly #held = new Map<Lease, Promise<unknown>>()

  constructor(parts: LocksParts) {
    this.#parts = parts
    this.#table = new LockTable(parts.database, parts.clock)
    this.#watches = new Watches(parts.clock)
  }

  /** @throws InvalidFindOptions, LockInTransaction, Locked, LockLost, ConnectionUnavailable; what the work throws */
  async hold<T>(name: string, work: (held: HeldLock) => T | Promise<T>, given?: unknown): Promise<T> {
    const { waitMs, leaseMs } = readLockOptions(name, given)
    if (insideTransaction()) throw new LockInTransaction(name)
    const { clock } = this.#parts
    const over = new AbortController()
    const patience = AbortSignal.any([over.signal, this.#closing.signal])
    const timer = waitMs === 0 ? over.abort() : clock.setTimeout(() => over.abort(), waitMs)
    const leave = await this.#turns.take(name, patience)
    try {
      if (leave === null) throw await this.#refusal(name)
      const taken = await this.#take(name, leaseMs, patience)
      clock.clearTimeout(timer)
      return await this.#run(taken, work)
    } finally {
      clock.clearTimeout(timer)
      leave?.()
    }
  }

  /** Those that are held now, by name, at most 200. A database without the table of locks has none. */
  async list(): Promise<readonly ListedLock[]> {
    const { schema } = this.#parts.database
    if (schema !== undefined && (await schema.standing([lockPlan])).length === 0) return []
    return (await this.#table.list(LISTED)).map(({ id: name, holder, since, fence }) => ({
      name,
      holder,
      since,
      fence
    }))
  }

  /** Refuses new and waiting callers, aborts the signals, and waits a while for the work; what goes on keeps its lock. */
  async close(): Promise<void> {
    const { clock } = this.#parts
    this.#closing.abort()
    this.#watches.clear()
    if (this.#held.size === 0) return
    for (const lease of this.#held.keys()) lease.interrupt()
    await new Promise<void>((resolve) => {
      const timer = clock.setTimeout(resolve, CLOSE_MS)
      void Promise.allSettled(this.#held.values()).then(() => {
        clock.clearTimeout(timer)
        resolve()
      })
    })
  }

  async #run<T>({ lease, fence }: Taken, work: (held: HeldLock) => T | Promise<T>): Promise<T> {
    const running = lease.run(fence, work)
    this.#held.set(lease, running)
    try {
      return await running
    } finally {
      this.#held.delete(lease)
    }
  }

  async #take(name: string, leaseMs: number, patience: AbortSignal): Promise<Taken> {
    for (;;) {
      if (this.#closing.signal.aborted) throw new ConnectionUnavailable(this.#parts.database.name)
      const taken = await this.#tryOnce(name, leaseMs)
      if (taken !== null) return taken
      if (patience.aborted) throw await this.#refusal(name)
      await this.#pause(Math.min(LOOK_MS, leaseMs / 10), patience)
    }
  }

  async #tryOnce(name: string, leaseMs: number): Promise<Taken | null> {
    const { clock, holder } = this.#parts
    const seen = await this.#table.read(name)
    if (seen !== null && !this.#watches.hasExpired(seen)) return null
    const token = randomId('lock')
    const row: LockRow = { id: name, token, beat: 0, fence: null, leaseMs, holder, since: clock.now() }
    const lease = new Lease(this.#table, clock, row)
    const fence = await lease.begin((own) => (seen === null ? this.#table.insert(own) : this.#table.replace(seen, own)))
    if (fence === null) return null
    this.#watches.forget(name)
    return { lease, fence }
  }

  async #refusal(name: string): Promise<Error> {
    if (this.#closing.signal.aborted) return new ConnectionUnavailable(this.#parts.database.name)
    const row = await this.#table.read(name)
    // It was released between two looks, or a caller of this process is about to take it.
    const { holder, since } = row ?? { holder: this.#parts.holder, since: this.#parts.clock.now() }
    return new Locked(name, holder, new Date(since))
  }

  #pause(ms: number, patience: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    return new Promise((resolve) => {
      const end = () => {
        clock.clearTimeout(timer)
        patience.removeEventListener('abort', end)
        resolve()
      }
      const timer = clock.setTimeout(end, ms)
      patience.addEventListener('abort', end, { once: true })
    })
  }
}
