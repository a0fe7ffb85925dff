/** Deliveries of svc-webhooks, as its diagnostics channels publish them. Without that plugin nothing is counted. */
import { Counter, Histogram, type Registry } from 'prom-client'
import { DELIVERY_STATES, onDeliveries } from './delivery-channels.ts'

const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const COUNTED = [...DELIVERY_STATES, 'disabled']

/** @param app the HTTP server of the application, which identifies its messages @returns unsubscribe */
export function webhookMetrics(registry: Registry, app: object): () => void {
  const registers = [registry]
  const events = new Counter({
    name: 'svc_webhooks_events_total',
    help: 'Deliveries by outcome: enqueued, dropped, delivered, retried, failed, discarded; and endpoints disabled.',
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
  for (const event of COUNTED) events.inc({ event }, 0)
  return onDeliveries(app, COUNTED, (event, { durationMs }) => {
    events.inc({ event })
    if (typeof durationMs === 'number') durations.observe({ event }, durationMs / 1000)
  })
}
