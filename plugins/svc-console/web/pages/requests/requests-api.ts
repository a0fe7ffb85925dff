/** The recorded requests of svc-ops. Times within one in milliseconds from its first byte. */
import { call, withQuery } from '../../app/api.ts'
import type { ListPage } from '../../app/list.ts'

export interface RequestSummary {
  /** Counts up in one process. */
  readonly seq: number
  readonly id: string
  /** Epoch ms. */
  readonly at: number
  readonly durationMs: number
  readonly method: string
  readonly route: string | null
  readonly url: string
  readonly handler: string | null
  readonly status: number
  readonly error: string | null
  readonly user: string | null
  readonly tokenType: string | null
}

export interface RequestRow extends RequestSummary {
  readonly zone: string | null
  readonly authenticator: string | null
  readonly statements: number
  readonly events: number
  readonly deliveries: number
  readonly messages: number
}

export interface WholeRequest extends RequestSummary {
  readonly ip: string
  /** What was thrown, where the answer was 500 or above. */
  readonly failure: { readonly name: string; readonly message: string; readonly stack: string } | null
  readonly headers: Readonly<Record<string, string>>
  readonly phases: Readonly<Record<'admitted' | 'guarded' | 'parsed' | 'validated' | 'handled', number | null>>
  readonly admission: {
    readonly zone: string
    readonly authenticator: string | null
    readonly outcome: string
    readonly reason: string | null
  } | null
  readonly decisions: readonly {
    readonly attribute: string
    readonly subject: string | null
    readonly granted: boolean
    readonly reason: string | null
    readonly votes: readonly { readonly voter: string; readonly vote: string; readonly reason?: string }[]
  }[]
  readonly statements: readonly {
    readonly connector: string
    readonly kind: string
    readonly table: string | null
    /** Without values. */
    readonly text: string | null
    /** When it ended. */
    readonly at: number | null
    readonly durationMs: number
    readonly failed: boolean
    readonly afterwards: boolean
  }[]
  readonly events: readonly { readonly id: string; readonly action: string; readonly afterwards: boolean }[]
  readonly deliveries: readonly {
    readonly endpointId: string
    readonly eventId: string
    readonly afterwards: boolean
    readonly messageId: string | null
    readonly state: string
    readonly attempts: number
    readonly status: number | null
  }[]
  readonly messages: readonly { readonly channel: string; readonly count: number; readonly afterwards: boolean }[]
  readonly omitted: number
}

export const FILTERS = ['q', 'method', 'status', 'route', 'user', 'error', 'zone', 'minMs', 'since', 'until'] as const

/** `own`: `false` leaves out what svc itself was asked. */
export type RequestFilter = Partial<Record<(typeof FILTERS)[number] | 'own', string>>

const REQUESTS = '/svc/ops/api/requests'
const PAGE = 200

/** @param after only those that came after this `seq` */
export async function readRequests(
  filter: RequestFilter,
  cursor: string | null,
  after: number | null = null
): Promise<ListPage<RequestRow>> {
  const { items, nextCursor } = await call<{ items: RequestRow[]; nextCursor: number | null }>(
    'GET',
    withQuery(REQUESTS, { ...filter, limit: PAGE, cursor, after })
  )
  return { rows: items, next: nextCursor === null ? null : String(nextCursor) }
}

export const readRequest = (id: string) => call<WholeRequest>('GET', `${REQUESTS}/${encodeURIComponent(id)}`)
