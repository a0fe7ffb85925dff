/** The queue of deliveries: its tables, and how it speaks. */
import { type QueueTexts, queueStore } from 'svc-queue'
import { StoreTimeout, WebhooksUnavailable } from '../errors.ts'

export const deliveriesStore = queueStore({
  brick: 'deliveries',
  jobs: { name: 'svc_webhook_delivery', collection: 'webhook_delivery', record: 'webhook delivery' },
  workers: { name: 'svc_webhook_holder', collection: 'webhook_holder', record: 'holder of webhook deliveries' }
})

const UNREAD = 'the queue of webhook deliveries could not be read'

export const QUEUE_TEXTS: QueueTexts = {
  code: 'SVC_WEBHOOKS_STORE',
  failed: {
    admit: 'webhook deliveries could not be stored',
    claim: 'webhook deliveries could not be read from their queue',
    heartbeat: 'the queue of webhook deliveries could not be reached',
    settle: 'the outcome of webhook deliveries could not be stored',
    reschedule: 'deliveries of a recovered endpoint keep their schedule',
    discard: 'the deliveries of an endpoint could not be removed',
    counts: UNREAD,
    pending: UNREAD,
    leave: 'webhook deliveries could not be returned to their queue'
  },
  left: (jobs) => `${jobs} webhook deliveries are waiting in their queue`,
  timeout: (ms) => new StoreTimeout(String(ms)),
  unavailable: (operation) => {
    if (operation === 'admit') return new WebhooksUnavailable('the webhook deliveries cannot be stored at the moment')
    return new WebhooksUnavailable('the queue of webhook deliveries cannot be reached at the moment')
  }
}
