/**
 * Writes deliveries that ended into the store behind their senders, in batches and in order. What waits is bounded: no
 * delivery waits for its history, and while the store is away new entries are dropped, counted, and the log says so.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, isAnnounced, withTimeout } from 'svc-kernel'
import { StoreTimeout } from '../errors.ts'
import type { HistoryEntry, HistoryStore } from './history-store.ts'

export const MAX_WAITING = 1_000
const BATCH = 100
const DEADLINE_MS = 10_000
const CLOSE_DEADLINE_MS = 2_000
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 30_000

export interface HistoryWriterParts {
  readonly store: Pick<HistoryStore, 'append'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** A batch is in the store. */
  readonly onWritten: (batch: readonly HistoryEntry[]) => void
}

export class HistoryWriter {
  readonly #parts: HistoryWriterParts
  #waiting: HistoryEntry[] = []
  #writing: Promise<void> | null = null
  #retry: unknown = null
  #retryMs = FIRST_RETRY_MS
  #unlogged = 0
  #closed = false

  constructor(parts: HistoryWriterParts) {
    this.#parts = parts
  }

  add(entry: HistoryEntry): void {
    if (this.#closed || this.#waiting.length >= MAX_WAITING) {
      this.#drop(1)
      return
    }
    this.#waiting.push(entry)
    if (this.#writing === null && this.#retry === null) this.#writing = this.#writeSoon()
  }

  /** What waits of an endpoint is not written any more. */
  forget(endpointId: string): void {
    this.#waiting = this.#waiting.filter((entry) => entry.endpointId !== endpointId)
  }

  /** Takes nothing more, and writes what waits while the deadline lasts. Never rejects. */
  async close(): Promise<void> {
    this.#closed = true
    const { clock } = this.#parts
    if (this.#retry !== null) clock.clearTimeout(this.#retry)
    this.#retry = null
    try {
      const late = () => new StoreTimeout(String(CLOSE_DEADLINE_MS))
      const rest = async () => {
        await this.#writing
        await this.#write()
      }
      await withTimeout(CLOSE_DEADLINE_MS, clock, rest, late)
    } catch (error) {
      this.#report(error)
    }
    this.#drop(this.#waiting.length)
    this.#waiting = []
    this.#logDrops()
  }

  /** In a later turn of the event loop, so that a burst makes few batches. */
  async #writeSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    try {
      await this.#write()
    } catch (error) {
      this.#report(error)
      if (!this.#closed) this.#retryLater()
    } finally {
      this.#writing = null
    }
  }

  async #write(): Promise<void> {
    const { store, clock, onWritten } = this.#parts
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH)
      const late = () => new StoreTimeout(String(DEADLINE_MS))
      await withTimeout(DEADLINE_MS, clock, () => store.append(batch), late)
      const written = new Set(batch)
      this.#waiting = this.#waiting.filter((entry) => !written.has(entry))
      this.#retryMs = FIRST_RETRY_MS
      this.#logDrops()
      onWritten(batch)
    }
  }

  #retryLater(): void {
    this.#retry = this.#parts.clock.setTimeout(() => {
      this.#retry = null
      this.#writing = this.#writeSoon()
    }, this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS)
  }

  #drop(count: number): void {
    if (count > 0 && this.#unlogged === 0) {
      const text = 'ended webhook deliveries do not reach their history and are left out of it'
      this.#parts.log.error({ code: 'SVC_WEBHOOKS_HISTORY_DROPPED' }, text)
    }
    this.#unlogged += count
  }

  #logDrops(): void {
    if (this.#unlogged === 0) return
    const fields = { code: 'SVC_WEBHOOKS_HISTORY_DROPPED', dropped: this.#unlogged }
    this.#parts.log.error(fields, `${this.#unlogged} ended webhook deliveries are missing in the history`)
    this.#unlogged = 0
  }

  #report(error: unknown): void {
    const fields = { code: 'SVC_WEBHOOKS_STORE', err: error, waiting: this.#waiting.length }
    this.#parts.log[isAnnounced(error) ? 'debug' : 'error'](fields, 'the history of webhook deliveries took no entries')
  }
}
