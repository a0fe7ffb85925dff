/**
 * Writes records to a store behind their producers, in batches and in order. What waits is bounded; what finds no room is
 * dropped and counted. A batch that failed is written again, whole: writing it twice has to be as good as once.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { isAnnounced, withTimeout } from 'svc-kernel/plugin'

const DEADLINE_MS = 10_000
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 30_000

export interface BatchWriterParts<Item, Result> {
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly write: (batch: readonly Item[]) => Promise<Result>
  /** A batch is stored. Not called for one whose write was given up, should it succeed after all. */
  readonly onWritten?: (result: Result, batch: readonly Item[]) => void
  /** Items of one write, at most. */
  readonly batchSize: number
  /** Items that may wait. */
  readonly maxWaiting: number
  /** Between two writes that are not full, so that a steady trickle makes few of them. Default: 0. */
  readonly pauseMs?: number
  /** How long the last writes may take together. */
  readonly closeDeadlineMs: number
  /** What a write that took too long fails with. */
  readonly timeout: (ms: number) => Error
  /** What those who wait for a write that failed get. */
  readonly unwritten: () => Error
  /** How the log tells of a write that failed. */
  readonly failure: { readonly code: string; readonly text: string }
  /** How the log tells of what was dropped, when it begins and when it is over; `null`: the producer tells. */
  readonly loss: { readonly code: string; readonly begins: string; readonly over: string } | null
}

interface Waiter {
  readonly position: number
  resolve(): void
  reject(error: Error): void
}

export class BatchWriter<Item, Result = void> {
  readonly #parts: BatchWriterParts<Item, Result>
  #waiting: Item[] = []
  /** What is being written, or written again. */
  #batch: readonly Item[] = []
  #flushing: Promise<void> | null = null
  /** The next write: after a pause, or again. */
  #timer: unknown = null
  #failing = false
  #retryMs = FIRST_RETRY_MS
  #added = 0
  #waiters: Waiter[] = []
  #dropped = 0
  /** Of the last that it took: the store did not get them before the end. */
  #abandoned = 0
  #unlogged = 0
  #closed = false

  constructor(parts: BatchWriterParts<Item, Result>) {
    this.#parts = parts
  }

  /** How many items the store never got. */
  get dropped(): number {
    return this.#dropped
  }

  /** Position of the last item that it took. */
  get added(): number {
    return this.#added
  }

  /** Items that the store does not have yet. */
  get size(): number {
    return this.#batch.length + this.#waiting.length
  }

  /** The last write failed: what waits is written again later. */
  get failing(): boolean {
    return this.#failing
  }

  /** @returns the position of the item; infinite where it is dropped */
  add(item: Item): number {
    const { maxWaiting, batchSize } = this.#parts
    if (this.#closed || this.size >= maxWaiting) {
      this.#drop(1)
      return Number.POSITIVE_INFINITY
    }
    this.#waiting.push(item)
    this.#added += 1
    const isFull = !this.#failing && this.#waiting.length >= batchSize
    if (this.#flushing === null && (this.#timer === null || isFull)) this.#begin()
    return this.#added
  }

  /**
   * Resolves when the store has every item up to a position. Where the last write failed, it is made again at once: who
   * waits is answered by what the store says now.
   *
   * @throws `unwritten` when the next write fails; the items wait on
   */
  storedUpTo(position: number): Promise<void> {
    if (position > this.#added - this.#abandoned) return Promise.reject(this.#parts.unwritten())
    if (position <= this.#stored) return Promise.resolve()
    if (this.#timer !== null) this.#begin()
    return new Promise((resolve, reject) => {
      this.#waiters.push({ position, resolve, reject })
    })
  }

  /**
   * Takes nothing more, and writes what waits while the deadline lasts; a batch under way is written again. Never rejects.
   *
   * @returns how many items could not be stored
   */
  async close(): Promise<number> {
    this.#closed = true
    this.#stopTimer()
    const { clock, closeDeadlineMs } = this.#parts
    const end = clock.now() + closeDeadlineMs
    try {
      while (this.size > 0) await this.#write(Math.max(end - clock.now(), 1), () => true)
    } catch (error) {
      this.#report(error)
      this.#abandoned = this.size
      this.#drop(this.size)
      this.#waiting = []
      this.#batch = []
      this.#failWaiters()
    }
    this.#logDrops()
    return this.#abandoned
  }

  #begin(): void {
    this.#stopTimer()
    this.#flushing = this.#flushSoon()
  }

  /** In a later turn of the event loop, so that a burst makes few batches and its caller waits for none. */
  async #flushSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    const { pauseMs = 0, batchSize } = this.#parts
    try {
      do await this.#write(DEADLINE_MS, () => !this.#closed)
      while (this.size > 0 && !this.#closed && (pauseMs === 0 || this.#waiters.length > 0 || this.size >= batchSize))
      if (pauseMs > 0) this.#later(pauseMs)
    } catch (error) {
      if (this.#closed) return
      this.#report(error)
      this.#failing = true
      this.#failWaiters()
      this.#later(this.#retryMs)
      this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS)
    } finally {
      this.#flushing = null
    }
  }

  /** @param counts whether its end still matters */
  async #write(ms: number, counts: () => boolean): Promise<void> {
    if (!counts()) return
    const { clock, write, onWritten, batchSize, timeout } = this.#parts
    if (this.#batch.length === 0) this.#batch = this.#waiting.splice(0, batchSize)
    const batch = this.#batch
    const result = await withTimeout(
      ms,
      clock,
      () => write(batch),
      () => timeout(ms)
    )
    if (!counts()) return
    this.#batch = []
    this.#failing = false
    this.#retryMs = FIRST_RETRY_MS
    this.#logDrops()
    onWritten?.(result, batch)
    this.#resolveWaiters()
  }

  #later(ms: number): void {
    if (this.#closed) return
    this.#timer = this.#parts.clock.setTimeout(() => {
      this.#timer = null
      if (this.size > 0) this.#begin()
    }, ms)
  }

  #stopTimer(): void {
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer)
    this.#timer = null
  }

  get #stored(): number {
    return this.#added - this.size
  }

  #resolveWaiters(): void {
    const stored = this.#stored
    const done = this.#waiters.filter(({ position }) => position <= stored)
    this.#waiters = this.#waiters.filter(({ position }) => position > stored)
    for (const waiter of done) waiter.resolve()
  }

  #failWaiters(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const waiter of waiters) waiter.reject(this.#parts.unwritten())
  }

  #drop(count: number): void {
    const { log, loss } = this.#parts
    if (loss !== null && count > 0 && this.#unlogged === 0) log.error({ code: loss.code }, loss.begins)
    this.#dropped += count
    this.#unlogged += count
  }

  #logDrops(): void {
    const { log, loss } = this.#parts
    if (loss !== null && this.#unlogged > 0) {
      const fields = { code: loss.code, dropped: this.#unlogged, total: this.#dropped }
      log.error(fields, `${this.#unlogged} ${loss.over}`)
    }
    this.#unlogged = 0
  }

  #report(error: unknown): void {
    const { log, failure } = this.#parts
    const fields = { code: failure.code, err: error, waiting: this.size }
    log[isAnnounced(error) ? 'debug' : 'error'](fields, failure.text)
  }
}
