/**
 * Deliveries on their way into the durable queue: gathered in the stack of whoever records, written a batch at a time in a
 * later turn. Their ids are derived, so that a batch that is written again is there once. What may wait is bounded; nobody
 * was told that it is stored.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { AuditEvent, Clock } from 'svc-kernel'
import { BatchWriter } from 'svc-stores'
import { StoreTimeout, WebhooksUnavailable } from '../../errors.ts'
import type { NewDelivery } from './durable-queue.ts'
import { messageId } from './message-id.ts'

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

type New = Pick<Admitted, 'endpointId' | 'event'>

interface Written extends Admitted {
  readonly text: string
}

export class Admission {
  readonly #parts: AdmissionParts
  readonly #writer: BatchWriter<New, () => void>
  /** What the writer has under way, so that it is prepared once however often it is written. */
  #prepared: { readonly from: readonly New[]; readonly batch: readonly Written[] } = { from: [], batch: [] }

  constructor(parts: AdmissionParts) {
    this.#parts = parts
    this.#writer = new BatchWriter({
      clock: parts.clock,
      log: parts.log,
      write: (batch) => this.#write(batch),
      onWritten: (stored) => stored(),
      batchSize: 100,
      maxWaiting: 50_000,
      closeDeadlineMs: 5_000,
      timeout: (ms) => new StoreTimeout(String(ms)),
      unwritten: () => new WebhooksUnavailable('the webhook deliveries cannot be stored at the moment'),
      failure: { code: 'SVC_WEBHOOKS_STORE', text: 'webhook deliveries could not be stored' },
      loss: null
    })
  }

  /** @returns `false` where too many wait already */
  add(endpointId: string, event: AuditEvent): boolean {
    return this.#writer.add({ endpointId, event }) !== Number.POSITIVE_INFINITY
  }

  /** Resolves when all that was added is stored. @throws WebhooksUnavailable as soon as a write fails */
  stored(): Promise<void> {
    return this.#writer.storedUpTo(this.#writer.added)
  }

  /** Takes nothing more, and writes what waits while the deadline lasts. @returns how many could not be stored */
  close(): Promise<number> {
    return this.#writer.close()
  }

  async #write(from: readonly New[]): Promise<() => void> {
    const { wanted, write, onStored } = this.#parts
    if (this.#prepared.from !== from) this.#prepared = { from, batch: this.#prepare(from) }
    const { batch } = this.#prepared
    if (batch.length === 0) return () => undefined
    const places = wanted(batch)
    const rows = batch.map(({ id, endpointId, text }) => ({ id, endpointId, event: text, held: places.has(id) }))
    const held = await write(rows)
    return () => onStored(batch, new Set(held))
  }

  /** The text of an event is written once for all of its endpoints. */
  #prepare(from: readonly New[]): Written[] {
    const batch: Written[] = []
    let last: AuditEvent | null = null
    let text = ''
    for (const { endpointId, event } of from) {
      const id = messageId(event.id, endpointId)
      try {
        if (event !== last) text = JSON.stringify(event)
        last = event
        batch.push({ id, endpointId, event, text })
      } catch (error) {
        this.#parts.log.error(
          { code: 'SVC_WEBHOOKS_UNSENT', err: error, endpoint: endpointId },
          'an event cannot be written as JSON'
        )
        this.#parts.onUnwritable({ id, endpointId, event })
      }
    }
    return batch
  }
}
