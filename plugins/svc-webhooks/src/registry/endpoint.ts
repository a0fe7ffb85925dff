/** What goes into the registry of endpoints and what comes out of it. */
import type { WebhookRecord } from 'svc-stores'
import type { QueueState } from '../dispatch/dispatcher.ts'
import type { EndpointView } from './endpoint-view.ts'

export interface NewEndpoint {
  readonly url: string
  /** `*`, an action, or `prefix.*`. */
  readonly events: readonly string[]
  readonly description?: string | null
  /** Default `true`. */
  readonly enabled?: boolean
  readonly metadata?: WebhookRecord['metadata']
}

/** Absent keys stay as they are. */
export type EndpointPatch = Partial<NewEndpoint>

export interface WithSecret {
  readonly endpoint: EndpointView
  /** `whsec_...`, in clear. */
  readonly secret: string
}

export interface EndpointPage {
  readonly enabled: boolean
  /** Name of the store's driver; `null` where there is none. */
  readonly driver: string | null
  readonly endpoints: readonly EndpointView[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly hasNext: boolean
}

export interface EndpointStats {
  readonly enabled: boolean
  readonly total: number
  readonly active: number
  readonly disabled: number
  readonly failing: number
  readonly queue: QueueState
}
