/** An event as the outbox and the journal have it. */
import type { JobCause } from 'svc-kernel'
import type { TablePlan } from 'svc-stores/table'
import type { EventMessage } from '../definitions/define-events.ts'

/** An event as `fastify.events` reads it: what receivers get, and who caused it. */
export interface StoredEvent extends EventMessage {
  /** Who caused it, for the application alone; `null`: nobody did, or an older version stored it. */
  readonly cause: JobCause | null
}

/** What leaves the application: these fields, and no other that the row of a newer version has. */
export function messageOf({ id, type, version, organization, ts, data }: StoredEvent): EventMessage {
  return { id, type, version, organization, ts, data }
}

/** A row of the journal. Without a journal it only says that the event was handed on, and has no data. */
export interface JournalRow extends Omit<StoredEvent, 'data'> {
  /** An object around the data, which may be any JSON; `null` without a journal. */
  readonly data: { readonly value: unknown } | null
}

/** Which events of an organisation. */
export interface EventFilter {
  readonly type?: string
  /** Epoch ms, inclusive. */
  readonly since?: number
  /** Epoch ms, inclusive. */
  readonly until?: number
}

/** The order is that of the ids, which ascend with time. */
export interface EventPageQuery {
  /** 1 to 1000. */
  readonly limit: number
  /** Id of the last event of the page before. */
  readonly cursor?: string
  /** Default `false`: the newest first. */
  readonly oldestFirst?: boolean
}

export const journalPlan: TablePlan = {
  name: 'svc_event_journal',
  collection: 'event_journal',
  record: 'event',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'organization', type: 'text' },
    { name: 'type', type: 'text' },
    { name: 'version', type: 'integer' },
    { name: 'ts', type: 'time' },
    { name: 'data', type: 'document', nullable: true },
    { name: 'cause', type: 'document', nullable: true }
  ],
  indexes: [
    { columns: ['organization', 'id'], name: 'by_organization' },
    { columns: ['organization', 'type', 'id'], name: 'by_type' },
    { columns: ['ts'], name: 'by_age' }
  ]
}

export const OUTBOX = {
  jobs: { name: 'svc_event_outbox', collection: 'event_outbox', record: 'stored event' },
  workers: { name: 'svc_event_worker', collection: 'event_worker', record: 'worker of events' }
}

export const DELIVERIES = {
  jobs: { name: 'svc_event_delivery', collection: 'event_delivery', record: 'delivery of an event' },
  workers: { name: 'svc_event_holder', collection: 'event_holder', record: 'holder of deliveries of events' }
}
