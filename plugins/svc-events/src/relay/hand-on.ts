/** What follows from an event: a row of the journal, deliveries to endpoints of its organisation, jobs, and a message on its channel. */
import type { FastifyInstance } from 'fastify'
import { decoratorOf } from 'svc-kernel'
import type { NewJob } from 'svc-queue/driver'
import type { Transaction } from 'svc-stores/table'
import { messageId, SubscriptionIndex } from 'svc-webhooks/parts'
import type { Organizations } from '../access/organizations.ts'
import { deliveryEvent } from '../endpoints/delivery-event.ts'
import type { Endpoints } from '../endpoints/endpoints.ts'
import { messageOf, type StoredEvent } from '../records/event-record.ts'
import type { EventStore } from '../records/event-store.ts'
import type { Listeners } from './listeners.ts'

export interface HandOnParts {
  readonly store: EventStore
  readonly organizations: Organizations
  /** `null`: nothing is delivered. */
  readonly endpoints: Endpoints | null
  readonly listeners: Listeners
  readonly keepsData: boolean
  /** `null`: there are no channels. */
  readonly publish: ((event: StoredEvent) => void) | null
}

/** The channel of an organisation. */
export function channelOf(organization: string): string {
  return `events:${organization}`
}

export async function handOn(event: StoredEvent, traceparent: string | null, parts: HandOnParts): Promise<void> {
  const { store, organizations, endpoints, listeners, keepsData, publish } = parts
  const state = await organizations.state(event.organization)
  // It was deleted since: nobody may get the event.
  if (state === null) return
  const isOpen = state === 'active'
  const deliveries = endpoints === null || !isOpen ? [] : await deliveriesOf(event, traceparent, endpoints)
  const besides = (tx: Transaction | null) => listeners.add(event, tx)
  const isNew = await store.handOn({ event, keepsData, deliveries, besides })
  if ((await organizations.state(event.organization)) === null) {
    // It was deleted meanwhile: what was removed of it before this was written is not to come again.
    await store.forget(event.organization)
    return
  }
  if (isNew && deliveries.length > 0) endpoints?.look()
  // Again for one that was handed on before: that process may have ended before its message.
  if (isOpen) publish?.(event)
}

async function deliveriesOf(
  event: StoredEvent,
  traceparent: string | null,
  endpoints: Endpoints
): Promise<Omit<NewJob, 'held'>[]> {
  const enabled = await endpoints.enabledOf(event.organization)
  const ids = new SubscriptionIndex(enabled).match(event.type)
  const payload = JSON.stringify(deliveryEvent(event))
  const traced = traceparent === null ? {} : { traceparent }
  return ids.map((id) => ({ id: messageId(event.id, id), lane: id, payload, ...traced }))
}

/** What is used of svc-realtime. */
interface Channels {
  reaches(channel: string): boolean
  publish(channel: string, data: unknown): void
}

/** Publishes on the channel of the organisation, where svc-realtime is registered. */
export function channelPublisher(fastify: FastifyInstance): (event: StoredEvent) => void {
  return (event) => {
    const realtime = decoratorOf(fastify as unknown as { realtime: Channels }, 'realtime')
    const channel = channelOf(event.organization)
    if (realtime?.reaches(channel) === true) realtime.publish(channel, messageOf(event))
  }
}
