/** The journal's API, as docs/reference/audit.md describes it. */
import type { AuditEvent, AuditEvents, Catalogue } from 'svc-audit/wire'
import { call, SECURITY_API, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'

export type { AuditEvent }

/** Names of the filters of the API; times in epoch ms. `q` is a text in any of `SEARCHED`. */
export const FILTERS = ['q', 'category', 'action', 'outcome', 'actor', 'requestId', 'since', 'until'] as const

export type AuditFilter = Partial<Record<(typeof FILTERS)[number], string>>

const EVENTS = `${SECURITY_API}/audit/events`
const PAGE = 200

export async function readEvents(
  filter: AuditFilter,
  cursor: string | null,
  limit = PAGE
): Promise<ListPage<AuditEvent>> {
  const { items, nextCursor } = await call<AuditEvents>('GET', withQuery(EVENTS, { ...filter, limit, cursor }))
  return { rows: items, next: nextCursor }
}

export function readEvent(id: string): Promise<AuditEvent> {
  return call('GET', `${EVENTS}/${encodeURIComponent(id)}`)
}

export async function readCatalogue(): Promise<Catalogue['actions']> {
  return (await call<Catalogue>('GET', `${SECURITY_API}/audit/catalogue`)).actions
}

export function exportAddress(filter: AuditFilter): string {
  return withQuery(`${EVENTS}.ndjson`, filter)
}

/** What the server looks for a text in. */
const SEARCHED = ['actor', 'action', 'resource', 'reason', 'ip', 'requestId', 'id'] as const

/** Whether an event belongs to what is listed, as the server decides it. Pure. */
export function matches(event: AuditEvent, { q, since, until, ...equal }: AuditFilter): boolean {
  if (since !== undefined && event.ts < Number(since)) return false
  if (until !== undefined && event.ts > Number(until)) return false
  const text = q?.toLowerCase()
  if (text !== undefined && !SEARCHED.some((name) => event[name]?.toLowerCase().includes(text))) return false
  return Object.entries(equal).every(([name, value]) => event[name as keyof AuditEvent] === value)
}
