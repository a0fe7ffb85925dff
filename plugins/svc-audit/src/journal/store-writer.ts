/**
 * Writes events to a durable store behind their producers, in batches and in order. What waits is bounded: a full queue
 * keeps its oldest events and counts what it drops (memory keeps the newest). A failed batch is sent again, whole.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type AuditEvent, type Clock, isAnnounced, withTimeout } from 'svc-kernel'
import { AppendTimeout, AuditUnstored } from '../errors.ts'
import type { AuditStore } from '../storage/audit-store.ts'

const MAX_WAITING = 10_000
const BATCH = 200
const DEADLINE_MS = 10_000
const CLOSE_DEADLINE_MS = 5_000
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 30_000

export interface WriterParts {
  readonly store: Pick<AuditStore, 'append'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

interface Waiter {
  readonly position: number
  resolve(): void
  reject(error: Error): void
}

export class StoreWriter {
  readonly #parts: WriterParts
  #waiting: AuditEvent[] = []
  #flushing: Promise<void> | null = null
  #retry: unknown = null
  #retryMs = FIRST_RETRY_MS
  /** Events that came, those dropped excepted: the position of the last. */
  #added = 0
  #waiters: Waiter[] = []
  #dropped = 0
  /** Of the last that it took: the store did not get them before the end. */
  #abandoned = 0
  #unlogged = 0
  #closed = false

  constructor(parts: WriterParts) {
    this.#parts = parts
  }

  /** How many events the store never got. */
  get dropped(): number {
    return this.#dropped
  }

  /** Position of the last event that it took. */
  get added(): number {
    return this.#added
  }

  /** @returns the position of the event; infinite where it is dropped */
  add(event: AuditEvent): number {
    if (this.#closed || this.#waiting.length === MAX_WAITING) {
      this.#drop(1)
      return Number.POSITIVE_INFINITY
    }
    this.#waiting.push(event)
    this.#added += 1
    if (this.#flushing === null && this.#retry === null) this.#flushing = this.#flushSoon()
    return this.#added
  }

  /**
   * Resolves when the store has every event up to a position. Where the last batch failed, it is sent again at once:
   * who waits is answered by what the store says now.
   *
   * @throws AuditUnstored (503) when the next batch fails; the events wait on
   */
  storedUpTo(position: number): Promise<void> {
    if (position > this.#added - this.#abandoned) return Promise.reject(new AuditUnstored())
    if (position <= this.#stored) return Promise.resolve()
    if (this.#retry !== null) this.#retryNow()
    return new Promise((resolve, reject) => {
      this.#waiters.push({ position, resolve, reject })
    })
  }

  /** Stops admission, and hands over what waits while the deadline lasts; a batch under way is sent again. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#retry !== null) this.#parts.clock.clearTimeout(this.#retry)
    const { clock } = this.#parts
    const end = clock.now() + CLOSE_DEADLINE_MS
    try {
      while (this.#waiting.length > 0) {
        const batch = this.#waiting.slice(0, BATCH)
        await this.#append(batch, Math.max(end - clock.now(), 1))
        this.#handedOver(batch)
      }
    } catch (error) {
      this.#report(error)
      this.#drop(this.#waiting.length)
      this.#abandoned = this.#waiting.length
      this.#waiting = []
      this.#failWaiters()
    }
    this.#logDrops()
  }

  /** In a later turn of the event loop, so that a burst makes few batches and its caller waits for none. */
  async #flushSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    try {
      while (this.#waiting.length > 0 && !this.#closed) {
        const batch = this.#waiting.slice(0, BATCH)
        await this.#append(batch, DEADLINE_MS)
        if (this.#closed) return
        this.#handedOver(batch)
        this.#retryMs = FIRST_RETRY_MS
        this.#logDrops()
      }
    } catch (error) {
      if (this.#closed) return
      this.#report(error)
      this.#failWaiters()
      this.#retryLater()
    } finally {
      this.#flushing = null
    }
  }

  get #stored(): number {
    return this.#added - this.#waiting.length
  }

  #handedOver(batch: readonly AuditEvent[]): void {
    this.#waiting.splice(0, batch.length)
    const stored = this.#stored
    const done = this.#waiters.filter(({ position }) => position <= stored)
    this.#waiters = this.#waiters.filter(({ position }) => position > stored)
    for (const waiter of done) waiter.resolve()
  }

  #failWaiters(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const waiter of waiters) waiter.reject(new AuditUnstored())
  }

  #retryNow(): void {
    this.#parts.clock.clearTimeout(this.#retry)
    this.#retry = null
    this.#flushing = this.#flushSoon()
  }

  #append(batch: readonly AuditEvent[], ms: number): Promise<void> {
    const { store, clock } = this.#parts
    return withTimeout(
      ms,
      clock,
      () => store.append(batch),
      () => new AppendTimeout(String(ms))
    )
  }

  #retryLater(): void {
    this.#retry = this.#parts.clock.setTimeout(() => {
      this.#retry = null
      this.#flushing = this.#flushSoon()
    }, this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS)
  }

  #drop(count: number): void {
    if (count > 0 && this.#unlogged === 0) {
      this.#parts.log.error({ code: 'SVC_AUDIT_DROPPED' }, 'audit events do not reach their store and are dropped')
    }
    this.#dropped += count
    this.#unlogged += count
  }

  #logDrops(): void {
    if (this.#unlogged === 0) return
    const fields = { code: 'SVC_AUDIT_DROPPED', dropped: this.#unlogged, total: this.#dropped }
    this.#parts.log.error(fields, `${this.#unlogged} audit events were dropped`)
    this.#unlogged = 0
  }

  #report(error: unknown): void {
    const fields = { code: 'SVC_AUDIT_STORE', err: error, waiting: this.#waiting.length }
    this.#parts.log[isAnnounced(error) ? 'debug' : 'error'](fields, 'the audit store took no events')
  }
}
