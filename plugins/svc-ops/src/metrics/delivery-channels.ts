/** The diagnostics channels of svc-webhooks, which say what becomes of deliveries. The plugin need not be registered. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** What becomes of a delivery: the last parts of the names of the channels. */
export const DELIVERY_STATES = ['enqueued', 'dropped', 'delivered', 'retried', 'failed', 'discarded'] as const

const PREFIX = 'svc.webhooks.'

/** Names of the channels. */
export const WEBHOOK_CHANNELS: readonly string[] = Object.freeze(
  [...DELIVERY_STATES, 'disabled'].map((happening) => `${PREFIX}${happening}`)
)

/** As far as it is read here. */
export interface DeliveryNews {
  readonly app?: unknown
  readonly endpointId: string
  /** Id of the audit event that is delivered. */
  readonly eventId?: string | null
  readonly messageId?: string
  readonly attempt?: number
  readonly status?: number | null
  readonly durationMs?: number
}

/** @param app the HTTP server of the application, which identifies its messages @returns unsubscribe */
export function onDeliveries(
  app: object,
  happenings: readonly string[],
  listener: (happening: string, event: DeliveryNews) => void
): () => void {
  const hear = (message: unknown, channel: string | symbol): void => {
    const event = (message ?? {}) as DeliveryNews
    if (event.app === app) listener(String(channel).slice(PREFIX.length), event)
  }
  for (const happening of happenings) subscribe(PREFIX + happening, hear)
  return () => {
    for (const happening of happenings) unsubscribe(PREFIX + happening, hear)
  }
}
