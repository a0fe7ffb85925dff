/**
 * Deliveries on their way into the durable queue: gathered in the stack of whoever records, written a batch at a time in a
 * later turn. A batch that failed is written again, whole: its ids are derived, so it is there once. What may wait is
 * bounded; nobody was told that it is stored.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type AuditEvent, type Clock, isAnnounced, withTimeout } from 'svc-kernel'
import { StoreTimeout, WebhooksUnavailable } from '../../errors.ts'
import type { NewDelivery } from './durable-queue.ts'
import { messageId } from './message-id.ts'

const MAX_WAITING = 50_000
const BATCH = 100
const DEADLINE_MS = 10_000
const CLOSE_DEADLINE_MS = 5_000
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 30_000

export interface Admitted {
  readonly id: string
  readonly endpointId: string
  readonly event: AuditEvent
}

export interface AdmissionParts {
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Which of them this instance can send at once. */
  readonly wanted: (batch: readonly Admitted[]) => ReadonlySet<string>
  readonly write: (batch: readonly NewDelivery[]) => Promise<readonly string[]>
  /** @param held ids of those that this instance holds */
  readonly onStored: (batch: readonly Admitted[], held: ReadonlySet<string>) => void
  /** One that cannot be written as JSON. */
  readonly onUnwritable: (delivery: Admitted) => void
}

interface Waiting extends Admitted {
  readonly text: string
}

export class Admission {
  readonly #parts: AdmissionParts
  #waiting: { readonly endpointId: string; readonly event: AuditEvent }[] = []
  #batch: readonly Waiting[] = []
  #writing: Promise<void> | null = null
  #retry: unknown = null
  #retryMs = FIRST_RETRY_MS
  #closed = false
  #listeners: { resolve: () => void; reject: (error: Error) => void }[] = []

  constructor(parts: AdmissionParts) {
    this.#parts = parts
  }

  /** @returns `false` where too many wait already */
  add(endpointId: string, event: AuditEvent): boolean {
    if (this.#closed || this.#waiting.length >= MAX_WAITING) return false
    this.#waiting.push({ endpointId, event })
    if (this.#writing === null && this.#retry === null) this.#writing = this.#writeSoon()
    return true
  }

  /** Resolves when all that was added is stored. @throws WebhooksUnavailable as soon as a write fails */
  stored(): Promise<void> {
    if (this.#waiting.length + this.#batch.length === 0) return Promise.resolve()
    if (this.#retry !== null) return Promise.reject(unstored())
    return new Promise((resolve, reject) => this.#listeners.push({ resolve, reject }))
  }

  /** Takes nothing more, and writes what waits while the deadline lasts. @returns how many could not be stored */
  async close(): Promise<number> {
    this.#closed = true
    const { clock } = this.#parts
    if (this.#retry !== null) clock.clearTimeout(this.#retry)
    this.#retry = null
    const late = () => new StoreTimeout(String(CLOSE_DEADLINE_MS))
    try {
      await withTimeout(CLOSE_DEADLINE_MS, clock, () => this.#writing ?? this.#write(), late)
      if (this.#waiting.length + this.#batch.length > 0) {
        await withTimeout(CLOSE_DEADLINE_MS, clock, () => this.#write(), late)
      }
    } catch (error) {
      this.#report(error)
    }
    return this.#waiting.length + this.#batch.length
  }

  async #writeSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    try {
      await this.#write()
    } catch (error) {
      this.#report(error)
      for (const { reject } of this.#listeners.splice(0)) reject(unstored())
      if (!this.#closed) this.#retryLater()
    } finally {
      this.#writing = null
    }
  }

  async #write(): Promise<void> {
    const { clock, wanted, write, onStored } = this.#parts
    while (this.#waiting.length + this.#batch.length > 0) {
      if (this.#batch.length === 0) this.#batch = this.#take()
      const batch = this.#batch
      const places = wanted(batch)
      const rows = batch.map(({ id, endpointId, text }) => ({ id, endpointId, event: text, held: places.has(id) }))
      const late = () => new StoreTimeout(String(DEADLINE_MS))
      const held = batch.length === 0 ? [] : await withTimeout(DEADLINE_MS, clock, () => write(rows), late)
      this.#batch = []
      this.#retryMs = FIRST_RETRY_MS
      onStored(batch, new Set(held))
    }
    for (const { resolve } of this.#listeners.splice(0)) resolve()
  }

  /** The text of an event is written once for all of its endpoints. */
  #take(): Waiting[] {
    const taken = this.#waiting.splice(0, BATCH)
    const batch: Waiting[] = []
    let last: AuditEvent | null = null
    let text = ''
    for (const { endpointId, event } of taken) {
      const id = messageId(event.id, endpointId)
      try {
        if (event !== last) text = JSON.stringify(event)
        last = event
        batch.push({ id, endpointId, event, text })
      } catch (error) {
        this.#parts.log.error({ code: 'SVC_WEBHOOKS_UNSENT', err: error, endpoint: endpointId }, 'an event is no JSON')
        this.#parts.onUnwritable({ id, endpointId, event })
      }
    }
    return batch
  }

  #retryLater(): void {
    this.#retry = this.#parts.clock.setTimeout(() => {
      this.#retry = null
      this.#writing = this.#writeSoon()
    }, this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS)
  }

  #report(error: unknown): void {
    const fields = { code: 'SVC_WEBHOOKS_STORE', err: error, waiting: this.#waiting.length + this.#batch.length }
    this.#parts.log[isAnnounced(error) ? 'debug' : 'error'](fields, 'webhook deliveries could not be stored')
  }
}

function unstored(): Error {
  return new WebhooksUnavailable('the webhook deliveries cannot be stored at the moment')
}
