/**
 * The history of deliveries that outlives the process and is shared by all instances: written behind the deliveries,
 * read on demand, held to an age and to a number per endpoint.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { AuditEvent, Clock } from 'svc-kernel'
import { randomId } from 'svc-kernel/plugin'
import type { Maintenance, MaintenanceTask } from 'svc-stores'
import { BatchWriter } from 'svc-stores/plugin'
import { dayBegin, type EndedCounts } from '../degraded.ts'
import { StoreTimeout, WebhooksUnavailable } from '../errors.ts'
import { webhookMessage } from '../signature/message.ts'
import { askStore, logStoreFailure } from '../store-calls.ts'
import {
  type DeliveryFilter,
  type DeliveryPage,
  type DeliveryPageQuery,
  type DeliveryRecord,
  type EndedDelivery,
  MAX_REQUEST_BYTES,
  truncateUtf8
} from './delivery-record.ts'
import type { HistoryEntry, HistoryStore } from './history-store.ts'

const EVERY_S = 3_600
const FAILED = [
  'the history of webhook deliveries could not be read',
  'the history of webhook deliveries cannot be reached at the moment'
] as const
/** Entries that may wait: no delivery waits for its history. */
export const MAX_WAITING = 1_000
/** Entries of a moment are one write, ms. */
const GATHERED_MS = 50
/** An endpoint may have this part more than its number before its oldest are removed. */
const SLACK = 0.1

export interface LastingHistoryParts {
  readonly store: HistoryStore
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly maxAgeS: number
  readonly maxPerEndpoint: number
}

export class LastingHistory {
  readonly #parts: LastingHistoryParts
  readonly #writer: BatchWriter<HistoryEntry>
  /** Endpoints that are gone, while entries of theirs may wait. */
  readonly #forgotten = new Set<string>()
  /** Entries written here since the endpoint was last held to its number. */
  readonly #grown = new Map<string, number>()
  #count = 0

  constructor(parts: LastingHistoryParts) {
    this.#parts = parts
    this.#writer = new BatchWriter({
      ...parts,
      write: (batch) => parts.store.append(batch.filter(({ endpointId }) => !this.#forgotten.has(endpointId))),
      onWritten: (_, batch) => this.#written(batch),
      batchSize: 100,
      maxWaiting: MAX_WAITING,
      pauseMs: GATHERED_MS,
      closeDeadlineMs: 2_000,
      timeout: (ms) => new StoreTimeout(String(ms)),
      unwritten: () => new WebhooksUnavailable('the history of webhook deliveries cannot be written'),
      failure: { code: 'SVC_WEBHOOKS_STORE', text: 'the history of webhook deliveries could not be written' },
      loss: {
        code: 'SVC_WEBHOOKS_HISTORY_DROPPED',
        begins: 'the buffer of the delivery history is full: ended webhook deliveries are left out of it',
        over: 'ended webhook deliveries are missing in the history'
      }
    })
  }

  /** Epoch ms: what ended before may be gone. */
  get begin(): number {
    return this.#parts.clock.now() - this.#parts.maxAgeS * 1000
  }

  /** While plugins register: what is too old goes once for all instances; of what it has written each knows alone. */
  sweptBy(maintenance: Maintenance, { name, store }: Pick<MaintenanceTask, 'name' | 'store'>): void {
    const sweep = { everyS: EVERY_S, clock: this.#parts.clock, code: 'SVC_WEBHOOKS_STORE' }
    const purge = () => this.#parts.store.purge(this.begin)
    maintenance.declare({ ...sweep, name, ...(store !== undefined && { store }), work: purge })
    maintenance.declare({ ...sweep, name: `${name}-of-process`, work: (signal) => this.#trim(signal) })
  }

  /** Never waits, never throws. */
  add(endpointId: string, event: AuditEvent, { ok: _, ...ended }: EndedDelivery): void {
    this.#writer.add({ ...ended, id: this.#nextId(ended.ts), endpointId, event })
  }

  /** @throws InvalidFilter, InvalidPage (400), WebhooksUnavailable (503) */
  async page(endpointId: string, filter: DeliveryFilter, page: DeliveryPageQuery): Promise<DeliveryPage> {
    const { items, nextCursor } = await this.entries(endpointId, filter, page)
    return { deliveries: items.map(recordOf), nextCursor }
  }

  /** @throws InvalidFilter, InvalidPage (400), WebhooksUnavailable (503) */
  entries(endpointId: string, filter: DeliveryFilter, page: DeliveryPageQuery) {
    return this.#ask(() => this.#parts.store.list(endpointId, filter, page))
  }

  /** What a message was about; `null` when it is not kept. @throws WebhooksUnavailable (503) */
  async eventOf(endpointId: string, messageId: string): Promise<AuditEvent | null> {
    const found = await this.#ask(() => this.#parts.store.find(endpointId, messageId))
    return found?.event ?? null
  }

  /** How deliveries of the last 24 hours ended; `null` if the store does not answer. */
  async ended(endpointId: string): Promise<EndedCounts | null> {
    const { store, clock } = this.#parts
    return this.#ask(() => store.counts(endpointId, dayBegin(clock.now()))).catch(() => null)
  }

  /** The endpoint is gone: so is its history, soon. */
  forget(endpointId: string): void {
    if (this.#writer.size > 0) this.#forgotten.add(endpointId)
    this.#grown.delete(endpointId)
    this.#remove((store) => store.forget(endpointId))
  }

  async close(): Promise<void> {
    await this.#writer.close()
  }

  #written(batch: readonly HistoryEntry[]): void {
    if (this.#writer.size === 0) this.#forgotten.clear()
    const { maxPerEndpoint } = this.#parts
    for (const { endpointId } of batch) this.#grown.set(endpointId, (this.#grown.get(endpointId) ?? 0) + 1)
    for (const [endpointId, grown] of this.#grown) {
      if (grown < maxPerEndpoint * SLACK) continue
      this.#grown.delete(endpointId)
      this.#remove((store) => store.trim(endpointId, maxPerEndpoint))
    }
  }

  /** Endpoints that have grown are held to their number. @returns how many entries went */
  async #trim(signal: AbortSignal): Promise<number> {
    const { store, maxPerEndpoint } = this.#parts
    let removed = 0
    for (const endpointId of [...this.#grown.keys()]) {
      if (signal.aborted) break
      removed += await store.trim(endpointId, maxPerEndpoint)
      this.#grown.delete(endpointId)
    }
    return removed
  }

  /** In the background; what is left is removed by a later purge. */
  #remove(work: (store: HistoryStore) => Promise<unknown>): void {
    const { store, log } = this.#parts
    work(store).catch((error: unknown) => logStoreFailure(log, error, 'old webhook deliveries could not be removed'))
  }

  async #ask<Value>(call: () => Promise<Value>): Promise<Value> {
    // The answer has what ended here until now. If that cannot be stored, what is there is still an answer.
    const { failing, added } = this.#writer
    if (!failing) await this.#writer.storedUpTo(added).catch(() => undefined)
    return askStore(this.#parts, call, FAILED)
  }

  /** Ids of one instance ascend, so that the newest comes first within a millisecond too. */
  #nextId(ts: number): string {
    this.#count = (this.#count + 1) % 36 ** 5
    return `dlv_${ts.toString(36).padStart(9, '0')}${this.#count.toString(36).padStart(5, '0')}_${randomId('x')}`
  }
}

function recordOf({ id: _, endpointId: __, event, ...entry }: HistoryEntry): DeliveryRecord {
  const requestBody = truncateUtf8(webhookMessage(entry.messageId, event), MAX_REQUEST_BYTES)
  return { ...entry, ok: entry.outcome === 'delivered', requestBody }
}
