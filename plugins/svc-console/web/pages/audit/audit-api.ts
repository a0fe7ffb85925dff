/** The journal's API, as docs/reference/audit.md describes it. */
import { call, SECURITY_API, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'

export interface AuditEvent {
  readonly id: string
  /** Epoch ms. */
  readonly ts: number
  readonly category: string
  readonly action: string
  readonly outcome: string
  readonly actor: string | null
  readonly resource: string | null
  readonly reason: string | null
  readonly ip: string | null
  readonly userAgent: string | null
  readonly requestId: string | null
  readonly metadata: Readonly<Record<string, unknown>>
}

export interface CatalogueEntry {
  readonly action: string
  readonly category: string
  readonly outcomes: readonly string[]
  readonly when: string
}

/** Names of the filters of the API; times in epoch ms. */
export const FILTERS = ['category', 'action', 'outcome', 'actor', 'requestId', 'since', 'until'] as const

export type AuditFilter = Partial<Record<(typeof FILTERS)[number], string>>

const EVENTS = `${SECURITY_API}/audit/events`
const PAGE = 200

export async function readEvents(
  filter: AuditFilter,
  cursor: string | null,
  limit = PAGE
): Promise<ListPage<AuditEvent>> {
  const { items, nextCursor } = await call<{ items: AuditEvent[]; nextCursor: string | null }>(
    'GET',
    withQuery(EVENTS, { ...filter, limit, cursor })
  )
  return { rows: items, next: nextCursor }
}

export function readEvent(id: string): Promise<AuditEvent> {
  return call('GET', `${EVENTS}/${encodeURIComponent(id)}`)
}

export async function readCatalogue(): Promise<readonly CatalogueEntry[]> {
  return (await call<{ actions: CatalogueEntry[] }>('GET', `${SECURITY_API}/audit/catalogue`)).actions
}

export function exportAddress(filter: AuditFilter): string {
  return withQuery(`${EVENTS}.ndjson`, filter)
}

/** Whether an event belongs to what is listed, as the server decides it. */
export function matches(event: AuditEvent, { since, until, ...equal }: AuditFilter): boolean {
  if (since !== undefined && event.ts < Number(since)) return false
  if (until !== undefined && event.ts > Number(until)) return false
  return Object.entries(equal).every(([name, value]) => event[name as keyof AuditEvent] === value)
}

/** Of the rows that are there: those with each of the words in any of their fields. */
export function search(rows: readonly AuditEvent[], words: string): readonly AuditEvent[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (wanted.length === 0) return rows
  return rows.filter((row) => {
    const { metadata, ts: _, ...fields } = row
    const text = `${Object.values(fields).join('\n')}\n${JSON.stringify(metadata)}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
