/**
 * The newest audit events in memory, first in first out but for refusals. The journal pushes its
 * frozen events into `events` directly; `append` is for events of other origin.
 */
import type { Clock } from 'svc-kernel'
import type { AuditEvent, AuditFilter, AuditPage, AuditPageQuery, AuditStore } from '../contracts/audit-store.ts'
import { compareText } from '../paging/compare-values.ts'
import { type CursorPosition, decodeCursor, encodeCursor } from '../paging/cursor.ts'
import { filterTypes, readFilter } from '../paging/read-filter.ts'
import { checkInteger } from '../paging/read-page.ts'
import { auditCutoff } from '../records/audit-cutoff.ts'
import { AuditMemory } from './audit-memory.ts'
import { copyOut } from './memory-table.ts'
import type { StoreParts } from './store-parts.ts'

export class MemoryAuditStore implements AuditStore {
  readonly events = new AuditMemory()
  readonly #clock: Clock

  constructor({ clock }: StoreParts) {
    this.#clock = clock
  }

  async append(events: readonly AuditEvent[]): Promise<void> {
    const known = new Set<string>()
    for (const { id } of this.events.newest()) known.add(id)
    for (const event of events) {
      if (known.has(event.id)) continue
      known.add(event.id)
      this.events.push(copyOut(event))
    }
  }

  async list(filter: AuditFilter, { limit, cursor }: AuditPageQuery): Promise<AuditPage> {
    const matches = matching(filter)
    checkInteger('limit', limit, 1, 1000)
    const after = cursor === undefined ? null : decodeCursor(cursor)
    const found = [...this.events.newest()]
      .filter((event) => matches(event) && (after === null || newestFirst(event, after) > 0))
      .sort(newestFirst)
    const items = found.slice(0, limit).map(copyOut)
    const last = items.at(-1)
    const hasNext = found.length > limit
    return { items, limit, hasNext, nextCursor: hasNext && last !== undefined ? encodeCursor(last) : null }
  }

  async purge(retentionDays: number): Promise<number> {
    const cutoff = auditCutoff(retentionDays, this.#clock.now())
    return cutoff === null ? 0 : this.events.retain(({ ts }) => ts >= cutoff)
  }
}

function newestFirst(a: CursorPosition, b: CursorPosition): number {
  return b.ts - a.ts || compareText(b.id, a.id)
}

function matching(filter: AuditFilter): (event: AuditEvent) => boolean {
  const { category, action, outcome, actor, since, until } = readFilter(filter, filterTypes.audit)
  return (event) =>
    (category === undefined || event.category === category) &&
    (action === undefined || event.action === action) &&
    (outcome === undefined || event.outcome === outcome) &&
    (actor === undefined || event.actor === actor) &&
    (since === undefined || event.ts >= since) &&
    (until === undefined || event.ts <= until)
}
