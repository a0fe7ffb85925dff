/** The API of the portal: the endpoints of one organisation, its events, its keys. */
import type { PortalEventTypes, PortalKeys, PortalNewKey } from 'svc-events/wire'
import type { Deliveries, Endpoints, FoundEndpoint, WithSecret } from 'svc-webhooks/wire'
import { call, PortalError } from './session.ts'

export type Endpoint = Endpoints['endpoints'][number]
export type Delivery = Deliveries['deliveries'][number]
export type EventType = PortalEventTypes['types'][number]
export type Key = PortalKeys['keys'][number]

export interface EndpointChange {
  readonly url?: string
  readonly events?: readonly string[]
  readonly description?: string | null
  readonly enabled?: boolean
}

const PAGE = 50
const at = (id: string, ...rest: readonly string[]) => ['/webhooks', ...[id, ...rest].map(encodeURIComponent)].join('/')

/** All of them: there are at most `maxEndpoints`. */
export async function readEndpoints(): Promise<readonly Endpoint[]> {
  const found: Endpoint[] = []
  for (;;) {
    const query = `limit=200&offset=${found.length}&order=createdAt:DESC`
    const { endpoints, hasNext } = await call<Endpoints>('GET', `/webhooks?${query}`)
    found.push(...endpoints)
    if (!hasNext) return found
  }
}

export async function readEndpoint(id: string): Promise<Endpoint> {
  const found = await call<FoundEndpoint>('GET', at(id))
  if ('id' in found) return found
  throw new PortalError(503, 'SVC_EVENTS_UNAVAILABLE')
}

export const createEndpoint = (body: EndpointChange) => call<WithSecret>('POST', '/webhooks', body)
export const changeEndpoint = (id: string, body: EndpointChange, seen: number) =>
  call<Endpoint>('PATCH', at(id), body, seen)
export const removeEndpoint = (id: string) => call<unknown>('DELETE', at(id))
export const rotateSecret = (id: string, overlapS: number) => call<WithSecret>('POST', at(id, 'rotate'), { overlapS })
export const sendTest = (id: string) => call<unknown>('POST', at(id, 'test'))
export const resend = (id: string, messageId: string) =>
  call<unknown>('POST', at(id, 'deliveries', messageId, 'resend'))

export interface AttemptPage {
  readonly deliveries: readonly Delivery[]
  readonly next: string | null
  /** That have not ended; `null` on other pages than the first, or where it is not known. */
  readonly waiting: number | null
}

export async function readAttempts(
  id: string,
  query: Readonly<Record<string, string>>,
  cursor: string | null
): Promise<AttemptPage> {
  const asked = new URLSearchParams({ ...query, limit: String(PAGE), ...(cursor === null ? {} : { cursor }) })
  const { deliveries, nextCursor = null, pending } = await call<Deliveries>('GET', `${at(id, 'deliveries')}?${asked}`)
  return { deliveries, next: nextCursor, waiting: pending == null ? null : pending.waiting + pending.sending }
}

/** Messages that failed since then, each once, without those that were delivered later. */
export async function missedSince(id: string, since: number): Promise<readonly string[]> {
  const settled = new Set<string>()
  const missed: string[] = []
  for (let cursor: string | null = null; ; ) {
    const page: AttemptPage = await readAttempts(id, { since: String(since) }, cursor)
    // The newest comes first: it says what became of the message.
    for (const { messageId, ok, outcome } of page.deliveries) {
      if (settled.has(messageId) || outcome === 'retried') continue
      settled.add(messageId)
      if (!ok) missed.push(messageId)
    }
    if (page.next === null) return missed
    cursor = page.next
  }
}

export const readTypes = async () => (await call<PortalEventTypes>('GET', '/events/types')).types

export const readKeys = async () => (await call<PortalKeys>('GET', '/keys')).keys
export const createKey = (body: { name: string; permissions: readonly string[]; expiresInDays: number | null }) =>
  call<PortalNewKey>('POST', '/keys', body)
export const revokeKey = (id: string) => call<unknown>('DELETE', `/keys/${encodeURIComponent(id)}`)
