/**
 * Deliveries of webhooks, as svc-webhooks publishes them on diagnostics channels. Channels belong
 * to the process: what another application in it publishes is not counted.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Counter, Histogram, type Registry } from 'prom-client'

/** Names of the channels, the last part of which is what happened. */
export const WEBHOOK_CHANNELS: readonly string[] = Object.freeze(
  ['enqueued', 'dropped', 'delivered', 'retried', 'failed', 'discarded', 'disabled'].map(
    (happening) => `svc.webhooks.${happening}`
  )
)

const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** As far as it is read here. */
interface DeliveryNews {
  readonly app?: unknown
  readonly durationMs?: unknown
}

/** @param app the HTTP server of the application, which identifies its messages @returns unsubscribe */
export function webhookMetrics(registry: Registry, app: object): () => void {
  const registers = [registry]
  const events = new Counter({
    name: 'svc_webhooks_events_total',
    help: 'What became of deliveries: enqueued, dropped, delivered, retried, failed, discarded; and endpoints disabled.',
    labelNames: ['event'],
    registers
  })
  const durations = new Histogram({
    name: 'svc_webhooks_attempt_duration_seconds',
    help: 'Duration of attempts, by how they ended.',
    labelNames: ['event'],
    buckets: BUCKETS,
    registers
  })
  const count = (message: unknown, channel: string | symbol) => {
    const { app: teller, durationMs } = (message ?? {}) as DeliveryNews
    if (teller !== app) return
    const event = String(channel).slice('svc.webhooks.'.length)
    events.inc({ event })
    if (typeof durationMs === 'number') durations.observe({ event }, durationMs / 1000)
  }
  for (const channel of WEBHOOK_CHANNELS) {
    events.inc({ event: channel.slice('svc.webhooks.'.length) }, 0)
    subscribe(channel, count)
  }
  return () => {
    for (const channel of WEBHOOK_CHANNELS) unsubscribe(channel, count)
  }
}
