/**
 * The newest audit events in memory, first in first out but for refusals. The journal pushes its
 * frozen events into `events` directly; `append` is for events of other origin.
 */
import type { AuditEvent, Clock } from 'svc-kernel'
import type { StoreParts } from 'svc-stores'
import { type CursorPosition, checkInteger, compareText, decodeCursor, readFilter } from 'svc-stores/plugin'
import { copyRow, fold } from 'svc-stores/table'
import { AuditMemory } from './audit-memory.ts'
import {
  AUDIT_FILTERS,
  type AuditFilter,
  type AuditPage,
  type AuditPageQuery,
  type AuditStore,
  auditCutoff,
  auditPage,
  SEARCHED
} from './audit-store.ts'

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
      this.events.push(copyRow(event))
    }
  }

  async list(filter: AuditFilter, { limit, cursor }: AuditPageQuery): Promise<AuditPage> {
    const matches = matching(filter)
    checkInteger('limit', limit, 1, 1000)
    const after = cursor === undefined ? null : decodeCursor(cursor)
    const found = [...this.events.newest()]
      .filter((event) => matches(event) && (after === null || newestFirst(event, after) > 0))
      .sort(newestFirst)
    return auditPage(
      found.map((event) => copyRow(event)),
      limit
    )
  }

  async purge(retentionDays: number): Promise<number> {
    const cutoff = auditCutoff(retentionDays, this.#clock.now())
    return cutoff === null ? 0 : this.events.retain(({ ts }) => ts >= cutoff)
  }
}

function newestFirst(a: CursorPosition, b: CursorPosition): number {
  return b.ts - a.ts || compareText(b.id, a.id)
}

/** A run of refusals shares a slot, and is found by the time of its last as well as by that of its first. */
function matching(filter: AuditFilter): (event: AuditEvent) => boolean {
  const { q, after, since, until, ...exact } = readFilter(filter, AUDIT_FILTERS)
  const term = q === undefined ? null : fold(q)
  const known = after === undefined ? null : decodeCursor(after)
  const fields = Object.entries(exact) as [keyof typeof exact, string][]
  return (event) =>
    fields.every(([name, value]) => event[name] === value) &&
    (since === undefined || event.ts >= since || lastOf(event) >= since) &&
    (until === undefined || event.ts <= until) &&
    (known === null || newestFirst(event, known) < 0) &&
    (term === null || SEARCHED.some((name) => event[name] !== null && fold(event[name]).includes(term)))
}

/** Epoch ms; of what counts no others, its own. */
function lastOf({ ts, metadata }: AuditEvent): number {
  return typeof metadata.lastAt === 'number' ? metadata.lastAt : ts
}
