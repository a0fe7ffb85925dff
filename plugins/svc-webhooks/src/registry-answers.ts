/** What the registry answers about endpoints. */
import type { Page } from 'svc-stores'
import type { BacklogState } from './delivery/pending-deliveries.ts'
import type { EndpointView } from './endpoints/endpoint.ts'
import type { WebhookStats } from './endpoints/endpoint-store.ts'

/** An endpoint with its signing secret, which no listing shows. */
export interface WithSecret {
  readonly endpoint: EndpointView
  /** `whsec_...`, in clear. */
  readonly secret: string
}

/** One page of endpoints; empty while webhooks are switched off. */
export interface EndpointPage extends Omit<Page<EndpointView>, 'items'> {
  readonly enabled: boolean
  /** Name of the store's driver; `null` where there is none. */
  readonly driver: string | null
  readonly endpoints: readonly EndpointView[]
  readonly total: number
}

/** Endpoints and deliveries, as counts. */
export interface EndpointStats extends WebhookStats {
  readonly enabled: boolean
  /** See `EndpointView.degraded`; counted on this instance. */
  readonly degraded: number
  readonly queue: BacklogState
}

/** Where webhooks are switched off. */
export const NO_QUEUE: BacklogState = Object.freeze({ size: 0, inFlight: 0, dropped: 0 })

export const NO_STATS: EndpointStats = Object.freeze({
  enabled: false,
  total: 0,
  active: 0,
  disabled: 0,
  failing: 0,
  degraded: 0,
  queue: NO_QUEUE
})
