/** Deliveries that have ended, of all instances, at rest: newest first, read by cursor, bounded by age and by number. */
import type { AuditEvent } from 'svc-kernel'
import type { StoreDefinition } from 'svc-stores'
import { checkInteger, decodeCursor, encodeCursor, readFilter } from 'svc-stores/plugin'
import {
  after,
  all,
  atLeast,
  atMost,
  below,
  type Database,
  given,
  not,
  purge,
  type Table,
  type TablePlan,
  type Where
} from 'svc-stores/table'
import type { EndedCounts } from '../degraded.ts'
import type { DeliveryFilter, DeliveryPageQuery, EndedDelivery } from './delivery-record.ts'

export interface HistoryEntry extends Omit<EndedDelivery, 'ok'> {
  /** Ascends on one instance. */
  readonly id: string
  readonly endpointId: string
  /** What the message is about; its body is written again from it. */
  readonly event: AuditEvent
}

export interface HistoryPage {
  readonly items: readonly HistoryEntry[]
  readonly nextCursor: string | null
}

export interface HistoryStore {
  /** An entry whose id is there already is left as it is, so that a batch can be sent again. */
  append(entries: readonly HistoryEntry[]): Promise<void>
  /** By time, then by id, both descending. @throws InvalidFilter, InvalidPage (400) */
  list(endpointId: string, filter: DeliveryFilter, page: DeliveryPageQuery): Promise<HistoryPage>
  /** The newest entry of a message. */
  find(endpointId: string, messageId: string): Promise<HistoryEntry | null>
  /** How deliveries ended since then, retried attempts aside. @param since epoch ms */
  counts(endpointId: string, since: number): Promise<EndedCounts>
  /** Removes all but the newest of an endpoint. @param keep at least 1 @returns how many */
  trim(endpointId: string, keep: number): Promise<number>
  /** Removes what ended before. @param before epoch ms @returns how many */
  purge(before: number): Promise<number>
  /** Removes all of an endpoint. @returns how many */
  forget(endpointId: string): Promise<number>
}

const NEWEST = [
  ['ts', 'desc'],
  ['id', 'desc']
] as const

type HistoryNames = Required<Pick<TablePlan, 'name' | 'collection' | 'record'>>

const NAMES: HistoryNames = { name: 'svc_webhook_history', collection: 'webhook_history', record: 'delivery' }

const PLAN: Omit<TablePlan, keyof HistoryNames> = {
  columns: [
    { name: 'id', type: 'text' },
    { name: 'endpointId', type: 'text' },
    { name: 'ts', type: 'integer' },
    { name: 'messageId', type: 'text' },
    { name: 'type', type: 'text' },
    { name: 'attempt', type: 'integer' },
    { name: 'status', type: 'integer', nullable: true },
    { name: 'error', type: 'text', nullable: true },
    { name: 'durationMs', type: 'integer' },
    { name: 'outcome', type: 'text' },
    { name: 'responseBody', type: 'text', nullable: true },
    { name: 'event', type: 'document' }
  ],
  indexes: [
    { columns: ['endpointId', ...NEWEST], name: 'by_endpoint' },
    { columns: ['endpointId', 'outcome', ...NEWEST], name: 'by_outcome' },
    { columns: ['endpointId', 'status', ...NEWEST], name: 'by_status' },
    { columns: ['endpointId', 'type', ...NEWEST], name: 'by_event' },
    { columns: ['endpointId', 'messageId', ...NEWEST], name: 'by_message' },
    { columns: NEWEST, name: 'by_age' }
  ]
}

const NEWEST_FIRST = [
  { field: 'ts', direction: 'DESC' },
  { field: 'id', direction: 'DESC' }
] as const

const filters = {
  messageId: 'text',
  outcome: 'text',
  status: 'integer',
  event: 'text',
  since: 'integer',
  until: 'integer'
} as const

export class TableHistoryStore implements HistoryStore {
  readonly #entries: Table<HistoryEntry>

  /** @param names absent: those of svc-webhooks */
  constructor(database: Database, names: HistoryNames = NAMES) {
    this.#entries = database.table({ ...names, ...PLAN })
  }

  async append(entries: readonly HistoryEntry[]): Promise<void> {
    if (entries.length > 0) await this.#entries.insertNew(entries)
  }

  async list(endpointId: string, filter: DeliveryFilter, { limit, cursor }: DeliveryPageQuery): Promise<HistoryPage> {
    const matching = whereOf(endpointId, filter)
    checkInteger('limit', limit, 1, 1000)
    if (cursor !== undefined) matching.push(after<HistoryEntry>(NEWEST_FIRST, decodeCursor(cursor) as HistoryEntry))
    const found = await this.#entries.find(all(...matching), { order: NEWEST_FIRST, limit: limit + 1 })
    const items = found.slice(0, limit)
    const last = items.at(-1)
    return { items, nextCursor: found.length > limit && last !== undefined ? encodeCursor(last) : null }
  }

  async find(endpointId: string, messageId: string): Promise<HistoryEntry | null> {
    const [found = null] = await this.#entries.find({ endpointId, messageId }, { order: NEWEST_FIRST, limit: 1 })
    return found
  }

  async counts(endpointId: string, since: number): Promise<EndedCounts> {
    const ended: Where<HistoryEntry> = { endpointId, ts: atLeast(since), outcome: not('retried') }
    const { total, delivered } = await this.#entries.counts(ended, { delivered: { outcome: 'delivered' } })
    return { delivered, failed: total - delivered }
  }

  async trim(endpointId: string, keep: number): Promise<number> {
    checkInteger('keep', keep, 1, Number.MAX_SAFE_INTEGER)
    const selection = { order: NEWEST_FIRST, offset: keep - 1, limit: 1, without: ['event', 'responseBody'] as const }
    const [oldest] = await this.#entries.find({ endpointId }, selection)
    if (oldest === undefined) return 0
    return purge(this.#entries, all<HistoryEntry>({ endpointId }, after<HistoryEntry>(NEWEST_FIRST, oldest)))
  }

  purge(before: number): Promise<number> {
    return purge(this.#entries, { ts: below(before) })
  }

  forget(endpointId: string): Promise<number> {
    return purge(this.#entries, { endpointId })
  }
}

function whereOf(endpointId: string, filter: DeliveryFilter): Where<HistoryEntry>[] {
  const { since, until, event, ...exact } = readFilter(filter, filters)
  const from: Where<HistoryEntry> = since === undefined ? {} : { ts: atLeast(since) }
  const to: Where<HistoryEntry> = until === undefined ? {} : { ts: atMost(until) }
  return [given({ ...exact, endpointId, type: event }) as Where<HistoryEntry>, from, to]
}

export const historyStore: StoreDefinition<HistoryStore> = {
  brick: 'history',
  operations: ['append', 'list', 'find', 'counts', 'trim', 'purge', 'forget'],
  open: (database) => new TableHistoryStore(database),
  check: (store) => store.find('health', 'health')
}
