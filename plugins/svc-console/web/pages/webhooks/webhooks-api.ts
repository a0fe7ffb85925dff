/** The admin API of svc-webhooks. */
import type { AuditEvents } from 'svc-audit/wire'
import type {
  Deliveries,
  Endpoints,
  EventTypes,
  FoundEndpoint,
  Recovery,
  Secret,
  Sent,
  Stats,
  WithSecret
} from 'svc-webhooks/wire'
import { ApiError, call, SECURITY_API, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'

export type { Recovery, Stats }
export type Endpoint = Endpoints['endpoints'][number]
export type RecentOutcomes = NonNullable<Endpoint['recent']>
export type Pending = NonNullable<Deliveries['pending']>
export type Delivery = Deliveries['deliveries'][number]

export interface EndpointChange {
  readonly url?: string
  readonly events?: readonly string[]
  readonly description?: string | null
  readonly enabled?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

type Filter = Readonly<Record<string, string>>

const API = `${SECURITY_API}/webhooks`
const PAGE = 200

const at = (id: string, ...rest: readonly string[]) => [API, ...[id, ...rest].map(encodeURIComponent)].join('/')

/** Pages by offset: the cursor is the number of the next row. */
export async function readEndpoints(filter: Filter, cursor: string | null): Promise<ListPage<Endpoint>> {
  const query = { ...filter, limit: PAGE, offset: cursor ?? 0, order: 'createdAt:DESC', recent: 'true' }
  const { endpoints, hasNext, offset, total } = await call<Endpoints>('GET', withQuery(API, query))
  return { rows: endpoints, next: hasNext ? String(offset + PAGE) : null, total }
}

export const readStats = () => call<Stats>('GET', `${API}/stats`)

/** @throws ApiError also where webhooks are switched off, so that there is nothing to show */
export async function readEndpoint(id: string): Promise<Endpoint> {
  const found = await call<FoundEndpoint>('GET', at(id))
  if ('id' in found) return found
  throw new ApiError(503, { code: 'SVC_WEBHOOKS_UNAVAILABLE', message: 'webhooks are switched off' })
}

export const createEndpoint = (body: EndpointChange) => call<WithSecret>('POST', API, body)

export const changeEndpoint = (id: string, body: EndpointChange, seen: number | null = null) =>
  call<Endpoint>('PATCH', at(id), body, seen)

export const removeEndpoint = (id: string) => call<unknown>('DELETE', at(id))

export const rotateSecret = (id: string, overlapS: number) => call<WithSecret>('POST', at(id, 'rotate'), { overlapS })

export const revealSecret = async (id: string) => (await call<Secret>('POST', at(id, 'reveal'))).secret

export const sendTest = async (id: string) => (await call<Sent>('POST', at(id, 'test'))).messageId

export const resend = (id: string, messageId: string) =>
  call<unknown>('POST', at(id, 'deliveries', messageId, 'resend'))

export const beginRecovery = (id: string, range: { since: number; until?: number; status?: string }) =>
  call<Recovery>('POST', at(id, 'recover'), range)

export const readRecovery = (id: string, job: string) => call<Recovery>('GET', at(id, 'recover', job))

export const cancelRecovery = (id: string, job: string) => call<Recovery>('DELETE', at(id, 'recover', job))

export const readEventTypes = async () => (await call<EventTypes>('GET', `${API}/event-types`)).eventTypes

export async function readDeliveries(id: string, filter: Filter, cursor: string | null): Promise<ListPage<Delivery>> {
  const { deliveries, nextCursor } = await call<Deliveries>(
    'GET',
    withQuery(at(id, 'deliveries'), { ...filter, limit: PAGE, cursor })
  )
  return { rows: deliveries, next: nextCursor ?? null }
}

/** `null` where the queue cannot be asked now. */
export async function readPending(id: string): Promise<Pending | null> {
  return (await call<Deliveries>('GET', withQuery(at(id, 'deliveries'), { limit: 1 }))).pending ?? null
}

/** More than the history keeps of an endpoint, unless it is told to keep more. */
const MOST_PAGES = 6

/** All that the history has, newest first, as far as it is kept. */
export async function allDeliveries(id: string, filter: Filter): Promise<readonly Delivery[]> {
  const found: Delivery[] = []
  let cursor: string | null = null
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { rows, next }: ListPage<Delivery> = await readDeliveries(id, filter, cursor)
    found.push(...rows)
    if (next === null) break
    cursor = next
  }
  return found
}

/** Why the delivery stopped an endpoint, from the journal; `null` where it does not know. */
export async function whyDisabled(id: string): Promise<{ ts: number; reason: string | null } | null> {
  const query = { action: 'webhook.disabled', limit: 200 }
  const { items } = await call<AuditEvents>('GET', withQuery(`${SECURITY_API}/audit/events`, query))
  return items.find(({ resource }) => resource === id) ?? null
}
