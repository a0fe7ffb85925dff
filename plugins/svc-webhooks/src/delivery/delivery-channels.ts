/**
 * What the dispatcher publishes on diagnostics channels, for metrics: nothing is built without a subscriber. Every delivery
 * that is enqueued ends in one of delivered, failed, dropped or discarded; each attempt between is `retried`.
 */
import { type Channel, channel } from 'node:diagnostics_channel'

/** The message of each channel. No URL, no body, no secret. */
export interface DeliveryEvent {
  /** `DispatcherParts.app`: applications of one process have one each. */
  readonly app: object
  readonly endpointId: string
  /** The audit action, or `webhook.test`. */
  readonly type: string
  /** Id of the audit event that it carries; `null` where an endpoint was disabled. */
  readonly eventId: string | null
}

/** The message of `delivered`, `retried` and `failed`: an attempt has ended. */
export interface AttemptEvent extends DeliveryEvent {
  readonly messageId: string
  /** From 1. */
  readonly attempt: number
  readonly status: number | null
  readonly durationMs: number
}

/** Names of the channels, as `subscribe` of node:diagnostics_channel takes them. */
export const DELIVERY_CHANNELS = Object.freeze({
  /** A delivery was admitted. {@link DeliveryEvent} */
  enqueued: 'svc.webhooks.enqueued',
  /** There was no room for a delivery, or it made room for another. {@link DeliveryEvent} */
  dropped: 'svc.webhooks.dropped',
  /** {@link AttemptEvent} */
  delivered: 'svc.webhooks.delivered',
  /** An attempt failed; there will be another. {@link AttemptEvent} */
  retried: 'svc.webhooks.retried',
  /** The last attempt failed. {@link AttemptEvent} */
  failed: 'svc.webhooks.failed',
  /** Its endpoint is gone or disabled, or the server closes. {@link DeliveryEvent} */
  discarded: 'svc.webhooks.discarded',
  /** An endpoint failed too often. `type` is `webhook.disabled`. {@link DeliveryEvent} */
  disabled: 'svc.webhooks.disabled'
})

/** What happened to a delivery: a key of `DELIVERY_CHANNELS`. */
export type DeliveryChannel = keyof typeof DELIVERY_CHANNELS

const channels = Object.fromEntries(
  Object.entries(DELIVERY_CHANNELS).map(([name, topic]) => [name, channel(topic)])
) as Readonly<Record<DeliveryChannel, Channel>>

/** @param event called only with a subscriber */
export function publish(name: DeliveryChannel, event: () => DeliveryEvent | AttemptEvent): void {
  if (channels[name].hasSubscribers) channels[name].publish(event())
}
