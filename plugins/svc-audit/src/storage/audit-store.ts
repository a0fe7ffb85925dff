/** The audit journal at rest: append only, newest first, read by cursor. */
import type { AuditEvent, Clock } from 'svc-kernel'
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { type CursorPosition, checkInteger, decodeCursor, encodeCursor, readFilter } from 'svc-stores/plugin'
import {
  after,
  all,
  any,
  atLeast,
  atMost,
  below,
  containing,
  type Database,
  given,
  purge,
  type Table,
  type TablePlan,
  type Where
} from 'svc-stores/table'

/** Which events a listing returns: those that meet every field given. */
export interface AuditFilter {
  readonly id?: string
  readonly category?: string
  readonly action?: string
  readonly outcome?: string
  readonly actor?: string
  /** No index serves it: on a large journal, name `since` too. */
  readonly requestId?: string
  /**
   * Part of the actor, action, resource, reason, address, request id or id, in any case. No index serves it: a page
   * looks at no more than `SEARCHED_AT_ONCE` events, and may hold fewer than asked for, or none, with more to follow.
   */
  readonly q?: string
  /** Only what is newer than this position, `<epoch ms>:<id>` of an event. */
  readonly after?: string
  /** Epoch ms, inclusive. */
  readonly since?: number
  /** Epoch ms, inclusive. */
  readonly until?: number
}

/** Which page: its length and the cursor that it begins after. */
export interface AuditPageQuery {
  readonly limit: number
  /** `nextCursor` of the page before. */
  readonly cursor?: string
}

/** One page of events, the newest first. */
export interface AuditPage {
  readonly items: readonly AuditEvent[]
  readonly limit: number
  readonly hasNext: boolean
  /** `null` on the last page. */
  readonly nextCursor: string | null
}

/** The durable store of events: append, list and purge. */
export interface AuditStore {
  /** Appends a batch. An event whose id is stored already is left as it is, so that a batch can be sent again. */
  append(events: readonly AuditEvent[]): Promise<void>
  /** By time, then by id, both descending: the ids of one journal ascend, so the newest comes first within a millisecond too. */
  list(filter: AuditFilter, page: AuditPageQuery): Promise<AuditPage>
  /** Removes events older than the retention; 0 keeps everything. @returns how many */
  purge(retentionDays: number): Promise<number>
}

const NEWEST = [
  ['ts', 'desc'],
  ['id', 'desc']
] as const

const plan: TablePlan = {
  name: 'svc_audit_event',
  collection: 'audit_event',
  record: 'audit',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'ts', type: 'integer' },
    { name: 'category', type: 'text' },
    { name: 'action', type: 'text' },
    { name: 'outcome', type: 'text' },
    { name: 'actor', type: 'text', nullable: true },
    { name: 'resource', type: 'text', nullable: true },
    { name: 'reason', type: 'text', nullable: true },
    { name: 'ip', type: 'text', nullable: true },
    { name: 'userAgent', type: 'text', nullable: true },
    { name: 'requestId', type: 'text', nullable: true },
    { name: 'metadata', type: 'document' }
  ],
  indexes: [
    { columns: NEWEST, name: 'by_time' },
    { columns: ['category', ...NEWEST], name: 'by_category' },
    { columns: ['action', ...NEWEST], name: 'by_action' },
    { columns: ['outcome', ...NEWEST], name: 'by_outcome' },
    { columns: ['actor', ...NEWEST], held: 'actor', on: 'sql' },
    { columns: ['actor', ...NEWEST], name: 'by_actor', on: 'documents' }
  ]
}

const NEWEST_FIRST = [
  { field: 'ts', direction: 'DESC' },
  { field: 'id', direction: 'DESC' }
] as const

const OLDEST_FIRST = NEWEST_FIRST.map(({ field }) => ({ field, direction: 'ASC' as const }))

export class TableAuditStore implements AuditStore {
  readonly #clock: Clock
  readonly #events: Table<AuditEvent>

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#events = database.table(plan)
  }

  async append(events: readonly AuditEvent[]): Promise<void> {
    if (events.length > 0) await this.#events.insertNew(events)
  }

  async list(filter: AuditFilter, { limit, cursor }: AuditPageQuery): Promise<AuditPage> {
    const matching = whereOf(filter)
    checkInteger('limit', limit, 1, 1000)
    if (cursor !== undefined) matching.push(after(NEWEST_FIRST, decodeCursor(cursor)))
    if (filter.q !== undefined) return this.#search(filter.q, matching, limit)
    const found = await this.#events.find(all(...matching), { order: NEWEST_FIRST, limit: limit + 1 })
    return auditPage(found, limit)
  }

  /** Where the part that may be looked at ends is found by an index; the text is looked for in that part alone. */
  async #search(text: string, matching: readonly Where<AuditEvent>[], limit: number): Promise<AuditPage> {
    const bound = { order: NEWEST_FIRST, offset: SEARCHED_AT_ONCE - 1, limit: 1, without: TEXTS }
    const [end] = await this.#events.find(all(...matching), bound)
    const part = end === undefined ? [] : [notBehind(end)]
    const named = any<AuditEvent>(...SEARCHED.map((field) => ({ [field]: containing(text) })))
    const found = await this.#events.find(all(...matching, ...part, named), { order: NEWEST_FIRST, limit: limit + 1 })
    const page = auditPage(found, limit)
    return page.hasNext || end === undefined ? page : { ...page, hasNext: true, nextCursor: encodeCursor(end) }
  }

  async purge(retentionDays: number): Promise<number> {
    const cutoff = auditCutoff(retentionDays, this.#clock.now())
    return cutoff === null ? 0 : purge(this.#events, { ts: below(cutoff) })
  }
}

export const AUDIT_FILTERS = {
  id: 'text',
  category: 'text',
  action: 'text',
  outcome: 'text',
  actor: 'text',
  requestId: 'text',
  q: 'text',
  after: 'text',
  since: 'integer',
  until: 'integer'
} as const

/** What `q` is looked for in. */
export const SEARCHED = ['actor', 'action', 'resource', 'reason', 'ip', 'requestId', 'id'] as const

/** A search for what is nowhere reads no more than so many events for a page, and says where to go on. */
export const SEARCHED_AT_ONCE = 10_000

/** Not needed to know where an event stands. */
const TEXTS = ['resource', 'reason', 'ip', 'userAgent', 'requestId', 'metadata'] as const

/** @returns the conditions of a filter, to be met together @throws InvalidFilter */
function whereOf(filter: AuditFilter): Where<AuditEvent>[] {
  const { q: _q, after: known, since, until, ...exact } = readFilter(filter, AUDIT_FILTERS)
  const newer: Where<AuditEvent> = known === undefined ? {} : after(OLDEST_FIRST, decodeCursor(known))
  const from: Where<AuditEvent> = since === undefined ? {} : { ts: atLeast(since) }
  const to: Where<AuditEvent> = until === undefined ? {} : { ts: atMost(until) }
  // Free text: what is no outcome matches nothing.
  return [given(exact) as Where<AuditEvent>, newer, from, to]
}

/** This event and what is newer. Its time once more, as that is what an index reads by. */
function notBehind({ ts, id }: CursorPosition): Where<AuditEvent> {
  return all<AuditEvent>({ ts: atLeast(ts) }, any<AuditEvent>({ id }, after(OLDEST_FIRST, { ts, id } as AuditEvent)))
}

/** @param found newest first, one more than the limit where another page follows */
export function auditPage(found: readonly AuditEvent[], limit: number): AuditPage {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const hasNext = found.length > limit
  return { items, limit, hasNext, nextCursor: hasNext && last !== undefined ? encodeCursor(last) : null }
}

const DAY_MS = 86_400_000

/**
 * @param retentionDays 0 keeps everything
 * @returns the time (epoch ms) before which events go; `null` when none do
 */
export function auditCutoff(retentionDays: number, now: number): number | null {
  return retentionDays > 0 ? now - retentionDays * DAY_MS : null
}

/** The definition of the store, which `fastify.stores.select` and `inMemory` open. */
export const auditStore: StoreDefinition<AuditStore> = {
  brick: 'audit',
  operations: ['append', 'list', 'purge'],
  open: (database, parts) => new TableAuditStore(database, parts),
  check: (store) => store.list({}, { limit: 1 })
}
