/** The admin API of svc-webhooks. */
import { call, SECURITY_API, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'

export interface Endpoint {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly enabled: boolean
  readonly description: string | null
  readonly createdBy: string | null
  /** Times in epoch ms. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly lastDeliveryAt: number | null
  readonly lastDeliveryStatus: number | null
  readonly lastDeliveryError: string | null
  /** In a row. */
  readonly failureCount: number
  /** Enabled and not failing, but a part of its deliveries failed within 24 hours; svc-webhooks defines how many. */
  readonly degraded: boolean
  readonly warnings: readonly string[]
  /** Names of its own headers. */
  readonly headers?: readonly string[]
  readonly previousSecretEndsAt?: number | null
  /** Of the last 24 hours, in a list. */
  readonly recent?: RecentOutcomes | null
}

/** Per hour, the oldest first. */
export interface RecentOutcomes {
  readonly delivered: readonly number[]
  readonly failed: readonly number[]
  readonly meanMs: number
}

export interface EndpointChange {
  readonly url?: string
  readonly events?: readonly string[]
  readonly description?: string | null
  readonly enabled?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

export interface Delivery {
  readonly ts: number
  readonly messageId: string
  readonly type: string
  readonly attempt: number
  readonly ok: boolean
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  readonly outcome: string
  readonly requestBody: string
  readonly responseBody: string | null
}

export interface EventType {
  readonly type: string
  readonly category: string
  readonly description: string
  readonly deliverable: boolean
}

export interface Recovery {
  readonly id: string
  readonly state: 'reading' | 'sending' | 'done' | 'failed' | 'cancelled'
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly error: string | null
}

export interface Stats {
  readonly enabled: boolean
  readonly total: number
  readonly active: number
  readonly disabled: number
  readonly failing: number
  readonly degraded: number
  readonly queue?: { readonly size: number; readonly inFlight: number; readonly dropped: number }
}

interface WithSecret {
  readonly endpoint: Endpoint
  readonly secret: string
}

type Filter = Readonly<Record<string, string>>

const API = `${SECURITY_API}/webhooks`
const PAGE = 200

const at = (id: string, ...rest: readonly string[]) => [API, ...[id, ...rest].map(encodeURIComponent)].join('/')

/** Pages by offset: the cursor is the number of the next row. */
export async function readEndpoints(filter: Filter, cursor: string | null): Promise<ListPage<Endpoint>> {
  const query = { ...filter, limit: PAGE, offset: cursor ?? 0, order: 'createdAt:DESC', recent: 'true' }
  const { endpoints, hasNext, offset, total } = await call<{
    endpoints: Endpoint[]
    hasNext?: boolean
    offset?: number
    total?: number
  }>('GET', withQuery(API, query))
  const next = hasNext === true ? String((offset ?? 0) + PAGE) : null
  return { rows: endpoints, next, ...(total === undefined ? {} : { total }) }
}

export const readStats = () => call<Stats>('GET', `${API}/stats`)

export const readEndpoint = (id: string) => call<Endpoint>('GET', at(id))

export const createEndpoint = (body: EndpointChange) => call<WithSecret>('POST', API, body)

export const changeEndpoint = (id: string, body: EndpointChange, seen: number | null = null) =>
  call<Endpoint>('PATCH', at(id), body, seen)

export const removeEndpoint = (id: string) => call<unknown>('DELETE', at(id))

export const rotateSecret = (id: string, overlapS: number) => call<WithSecret>('POST', at(id, 'rotate'), { overlapS })

export const revealSecret = async (id: string) => (await call<{ secret: string }>('POST', at(id, 'reveal'))).secret

export const sendTest = async (id: string) => (await call<{ messageId: string }>('POST', at(id, 'test'))).messageId

export const resend = (id: string, messageId: string) =>
  call<unknown>('POST', at(id, 'deliveries', messageId, 'resend'))

export const beginRecovery = (id: string, range: { since: number; until?: number; status?: string }) =>
  call<Recovery>('POST', at(id, 'recover'), range)

export const readRecovery = (id: string, job: string) => call<Recovery>('GET', at(id, 'recover', job))

export const cancelRecovery = (id: string, job: string) => call<Recovery>('DELETE', at(id, 'recover', job))

export const readEventTypes = async () =>
  (await call<{ eventTypes: EventType[] }>('GET', `${API}/event-types`)).eventTypes

export async function readDeliveries(id: string, filter: Filter, cursor: string | null): Promise<ListPage<Delivery>> {
  const { deliveries, nextCursor } = await call<{ deliveries: Delivery[]; nextCursor?: string | null }>(
    'GET',
    withQuery(at(id, 'deliveries'), { ...filter, limit: PAGE, cursor })
  )
  return { rows: deliveries, next: nextCursor ?? null }
}

export interface Pending {
  readonly waiting: number
  readonly sending: number
  /** Epoch ms; `null`: there is none, or its queue alone knows. */
  readonly nextAt: number | null
  readonly next: readonly {
    readonly eventId: string
    readonly type: string
    /** That have failed. */
    readonly attempts: number
    readonly dueAt: number | null
  }[]
}

/** `null` where the queue cannot be asked now. */
export async function readPending(id: string): Promise<Pending | null> {
  return (
    (await call<{ pending?: Pending | null }>('GET', withQuery(at(id, 'deliveries'), { limit: 1 }))).pending ?? null
  )
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
  const { items } = await call<{ items: { ts: number; resource: string | null; reason: string | null }[] }>(
    'GET',
    withQuery(`${SECURITY_API}/audit/events`, query)
  )
  return items.find(({ resource }) => resource === id) ?? null
}
