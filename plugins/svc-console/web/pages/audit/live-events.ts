/**
 * New events of the journal for the head of its list. Another instance may write an event a moment late, so that it
 * belongs below the newest that is known: the last seconds are asked for again each time.
 */
import type { HeadSource } from '../../app/live-head.ts'
import { type AuditEvent, type AuditFilter, matches, readEvents } from './audit-api.ts'

const OVERLAP_MS = 5000
/** What was missed is read page by page; beyond these the list is read again. */
const MOST_PAGES = 5

export function eventHead(filter: AuditFilter): HeadSource<AuditEvent> {
  return {
    channel: 'svc:audit',
    told: (event) => (matches(event as AuditEvent, filter) ? [event as AuditEvent] : []),
    merge: merged,
    newer: async ([head]) => {
      if (head === undefined) {
        const { rows, next } = await readEvents(filter, null)
        return { rows, complete: next === null || rows.length === 0 }
      }
      const since = String(Math.max(head.ts - OVERLAP_MS, Number(filter.since ?? 0)))
      const found: AuditEvent[] = []
      let cursor: string | null = null
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const { rows, next }: Awaited<ReturnType<typeof readEvents>> = await readEvents({ ...filter, since }, cursor)
        found.push(...rows)
        if (next === null || rows.some(({ id }) => id === head.id)) return { rows: found, complete: true }
        cursor = next
      }
      return { rows: found, complete: false }
    }
  }
}

/** Newest first, each event once; the rows that are known stay the same where nothing is new. Pure. */
export function merged(events: readonly AuditEvent[], known: readonly AuditEvent[]): readonly AuditEvent[] {
  const ids = new Set(known.slice(0, 2000).map(({ id }) => id))
  const fresh = events.filter(({ id }) => !ids.has(id))
  if (fresh.length === 0) return known
  const oldest = Math.min(...fresh.map(({ ts }) => ts))
  const below = known.findIndex(({ ts }) => ts < oldest)
  const beside = below === -1 ? known : known.slice(0, below)
  return [...[...fresh, ...beside].sort(newestFirst), ...known.slice(beside.length)]
}

/** The order of the store. */
function newestFirst(a: AuditEvent, b: AuditEvent): number {
  return b.ts - a.ts || (a.id < b.id ? 1 : -1)
}
