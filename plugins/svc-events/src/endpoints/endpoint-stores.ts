/** Endpoints of organisations and their deliveries that ended, in tables of their own. An organisation sees its endpoints alone. */

import type { StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf } from 'svc-stores/plugin'
import type { Database } from 'svc-stores/table'
import {
  type AttemptedEndpoint,
  type HistoryStore,
  historyStore,
  type NewWebhook,
  type RecoveryStore,
  recoveryStore,
  TableHistoryStore,
  TableRecoveryStore,
  TableWebhooksStore,
  type WebhookRecord,
  type WebhooksStore
} from 'svc-webhooks/parts'
import type { Organizations } from '../access/organizations.ts'
import { TooManyEndpoints } from '../errors.ts'

const NAMES = { name: 'svc_event_endpoint', collection: 'event_endpoint', record: 'endpoint' }
const HISTORY = { name: 'svc_event_history', collection: 'event_history', record: 'delivery of an event' }
const RECOVERY = {
  name: 'svc_event_recovery',
  collection: 'event_recovery',
  record: 'recovery of deliveries of events'
}

/** The endpoints of one organisation. */
class OrganizationEndpoints extends TableWebhooksStore {
  readonly #most: number

  constructor(database: Database, parts: StoreParts, tenantId: string, most: number) {
    super(database, parts, { names: NAMES, tenantId })
    this.#most = most
  }

  override async create(webhook: NewWebhook): Promise<WebhookRecord> {
    if ((await this.count({})) >= this.#most) throw new TooManyEndpoints(String(this.#most))
    return super.create(webhook)
  }
}

/**
 * As deliveries see endpoints: one whose organisation is suspended takes none, not even by hand, and one whose organisation
 * is gone is gone.
 * The outbox says who gets an event, so that no instance keeps the endpoints of all customers.
 */
class DeliverableEndpoints extends TableWebhooksStore {
  readonly #organizations: Pick<Organizations, 'state'>

  constructor(database: Database, parts: StoreParts, organizations: Pick<Organizations, 'state'>) {
    super(database, parts, { names: NAMES })
    this.#organizations = organizations
  }

  override async enabled(): Promise<readonly WebhookRecord[]> {
    return []
  }

  override async find(id: string): Promise<AttemptedEndpoint | null> {
    const endpoint = await super.find(id)
    if (endpoint === null || endpoint.tenantId === null) return null
    const state = await this.#organizations.state(endpoint.tenantId)
    if (state === null) return null
    return state === 'active' ? endpoint : { ...endpoint, enabled: false, closed: true }
  }
}

/** The endpoints of all organisations. */
export class EventEndpointStore extends TableWebhooksStore {
  readonly #database: Database
  readonly #parts: StoreParts

  constructor(database: Database, parts: StoreParts) {
    super(database, parts, { names: NAMES })
    this.#database = database
    this.#parts = parts
  }

  deliverable(organizations: Pick<Organizations, 'state'>): WebhooksStore {
    return new DeliverableEndpoints(this.#database, this.#parts, organizations)
  }

  /** @param most endpoints that the organisation may have */
  of(organization: string, most: number): WebhooksStore {
    return new OrganizationEndpoints(this.#database, this.#parts, organization, most)
  }
}

export const eventEndpointStore: StoreDefinition<EventEndpointStore> = {
  brick: 'eventEndpoints',
  operations: [...operationsOf(TableWebhooksStore), 'of', 'deliverable'],
  open: (database, parts) => new EventEndpointStore(database, parts),
  check: (store) => store.find('health')
}

export const eventHistoryStore: StoreDefinition<HistoryStore> = {
  ...historyStore,
  brick: 'eventHistory',
  open: (database) => new TableHistoryStore(database, HISTORY)
}

export const eventRecoveryStore: StoreDefinition<RecoveryStore> = {
  ...recoveryStore,
  brick: 'eventRecovery',
  open: (database) => new TableRecoveryStore(database, RECOVERY)
}
