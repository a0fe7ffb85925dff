/** The recorded requests of svc-ops. Times within one in milliseconds from its first byte. */
import { signal } from '@preact/signals'
import type { Requests, WholeRequest } from 'svc-ops/wire'
import { call, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'

export type { WholeRequest }
export type RequestRow = Requests['items'][number]

export const FILTERS = ['q', 'method', 'status', 'route', 'user', 'error', 'zone', 'minMs', 'since', 'until'] as const

/** `own`: `false` leaves out what svc itself was asked. */
export type RequestFilter = Partial<Record<(typeof FILTERS)[number] | 'own', string>>

const REQUESTS = '/svc/ops/api/requests'
const PAGE = 200

/** The instance that answered last: each keeps requests of its own. */
export const shownInstance = signal<string | null>(null)

/** @param after only those that came after this `seq` */
export async function readRequests(
  filter: RequestFilter,
  cursor: string | null,
  after: number | null = null
): Promise<ListPage<RequestRow>> {
  const { items, nextCursor, instance } = await call<Requests>(
    'GET',
    withQuery(REQUESTS, { ...filter, limit: PAGE, cursor, after })
  )
  shownInstance.value = instance
  return { rows: items, next: nextCursor === null ? null : String(nextCursor) }
}

export const readRequest = (id: string) => call<WholeRequest>('GET', `${REQUESTS}/${encodeURIComponent(id)}`)
