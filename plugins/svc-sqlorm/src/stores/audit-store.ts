/** The audit journal in the table `svc_audit_event`, by the event's id. A batch that is sent again changes nothing. */
import { sql } from 'kysely'
import type { Clock } from 'svc-kernel'
import {
  type AuditEvent,
  type AuditFilter,
  type AuditPage,
  type AuditPageQuery,
  type AuditStore,
  auditCutoff,
  checkInteger,
  decodeCursor,
  encodeCursor,
  filterTypes,
  readFilter,
  type SortFields
} from 'svc-stores'
import type { SqlConnection } from '../connection/sql-connection.ts'
import { freeJson, integer, optionalText, text } from './store-columns.ts'
import { all, compared, exactly, type Where } from './store-conditions.ts'
import { type StorePlan, StoreTable } from './store-table.ts'

const NEWEST = [
  ['ts', 'desc'],
  ['id', 'desc']
] as const

export const auditPlan: StorePlan = {
  brick: 'audit',
  unique: 'id',
  table: {
    name: 'svc_audit_event',
    columns: [
      text('id'),
      integer('ts'),
      text('category'),
      text('action'),
      text('outcome'),
      optionalText('actor'),
      optionalText('resource'),
      optionalText('reason'),
      optionalText('ip'),
      optionalText('userAgent'),
      optionalText('requestId'),
      freeJson('metadata')
    ],
    indexes: [
      { columns: NEWEST },
      { columns: ['category', ...NEWEST] },
      { columns: ['action', ...NEWEST] },
      { columns: ['outcome', ...NEWEST] },
      { columns: ['actor', ...NEWEST], held: 'actor' }
    ]
  }
}

const SORT: SortFields<'ts' | 'id'> = { fields: ['ts', 'id'], fallback: ['ts', 'DESC'] }

const NEWEST_FIRST = [
  ['ts', 'DESC'],
  ['id', 'DESC']
] as const

const EXACT = ['category', 'action', 'outcome', 'actor'] as const

export class SqlAuditStore implements AuditStore {
  readonly #clock: Clock
  readonly #events: StoreTable<AuditEvent>

  constructor(connection: SqlConnection, clock: Clock) {
    this.#clock = clock
    this.#events = StoreTable.declare(connection, auditPlan)
  }

  append(events: readonly AuditEvent[]): Promise<void> {
    return this.#events.insertNew(events)
  }

  async list(filter: AuditFilter, { limit, cursor }: AuditPageQuery): Promise<AuditPage> {
    const matching = toWhere(filter)
    checkInteger('limit', limit, 1, 1000)
    const where = cursor === undefined ? matching : all(matching, olderThan(cursor))
    const { items, hasNext } = await this.#events.page(where, { limit, order: NEWEST_FIRST }, SORT, [])
    const last = items.at(-1)
    return { items, limit, hasNext, nextCursor: hasNext && last !== undefined ? encodeCursor(last) : null }
  }

  async purge(retentionDays: number): Promise<number> {
    const cutoff = auditCutoff(retentionDays, this.#clock.now())
    return cutoff === null ? 0 : this.#events.purge(compared('ts', '<', cutoff))
  }
}

/** Compared as a pair, which an index can follow. */
function olderThan(cursor: string): Where {
  const { ts, id } = decodeCursor(cursor)
  return sql<boolean>`(${sql.ref('ts')}, ${sql.ref('id')}) < (${ts}, ${id})`
}

function toWhere(filter: AuditFilter): Where {
  const given = readFilter(filter, filterTypes.audit)
  const { since, until } = given
  const exact = EXACT.map((field) => (given[field] === undefined ? undefined : exactly(field, given[field])))
  const from = since === undefined ? undefined : compared('ts', '>=', since)
  const to = until === undefined ? undefined : compared('ts', '<=', until)
  return all(...exact, from, to)
}
