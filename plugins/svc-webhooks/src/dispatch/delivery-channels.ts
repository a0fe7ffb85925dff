/**
 * What the dispatcher tells on diagnostics channels, for whoever counts: nothing
 * is built unless somebody listens. Every delivery that is enqueued ends in one
 * of delivered, failed, dropped or discarded; each attempt between tells `retried`.
 */
import { type Channel, channel } from 'node:diagnostics_channel'

/** The message of each channel. No URL, no body, no secret. */
export interface DeliveryNews {
  /** `DispatcherParts.app`: tells the applications of one process apart. */
  readonly app: object
  readonly endpointId: string
  /** The audit action, or `webhook.test`. */
  readonly type: string
}

/** The message of `delivered`, `retried` and `failed`: an attempt has ended. */
export interface AttemptNews extends DeliveryNews {
  /** From 1. */
  readonly attempt: number
  readonly status: number | null
  readonly durationMs: number
}

/** Names of the channels, as `subscribe` of node:diagnostics_channel takes them. */
export const DELIVERY_CHANNELS = Object.freeze({
  /** A delivery was admitted. {@link DeliveryNews} */
  enqueued: 'svc.webhooks.enqueued',
  /** There was no room for a delivery, or it made room for another. {@link DeliveryNews} */
  dropped: 'svc.webhooks.dropped',
  /** {@link AttemptNews} */
  delivered: 'svc.webhooks.delivered',
  /** An attempt failed; there will be another. {@link AttemptNews} */
  retried: 'svc.webhooks.retried',
  /** The last attempt failed. {@link AttemptNews} */
  failed: 'svc.webhooks.failed',
  /** Its endpoint is gone or disabled, or the server closes. {@link DeliveryNews} */
  discarded: 'svc.webhooks.discarded',
  /** An endpoint failed too often. `type` is `webhook.disabled`. {@link DeliveryNews} */
  disabled: 'svc.webhooks.disabled'
})

export type DeliveryChannel = keyof typeof DELIVERY_CHANNELS

const channels: Readonly<Record<DeliveryChannel, Channel>> = {
  enqueued: channel(DELIVERY_CHANNELS.enqueued),
  dropped: channel(DELIVERY_CHANNELS.dropped),
  delivered: channel(DELIVERY_CHANNELS.delivered),
  retried: channel(DELIVERY_CHANNELS.retried),
  failed: channel(DELIVERY_CHANNELS.failed),
  discarded: channel(DELIVERY_CHANNELS.discarded),
  disabled: channel(DELIVERY_CHANNELS.disabled)
}

/** @param news called only when somebody listens */
export function publish(name: DeliveryChannel, news: () => DeliveryNews | AttemptNews): void {
  const { [name]: told } = channels
  if (told.hasSubscribers) told.publish(news())
}
