/** The journal as the recovery of an endpoint reads it: the events of its organisation, oldest first. */
import type { Clock } from 'svc-kernel'
import type { MissedJournal } from 'svc-webhooks/parts'
import type { Organizations } from '../access/organizations.ts'
import type { EventsConfig } from '../options.ts'
import type { EventStore } from '../records/event-store.ts'
import { deliveryEvent } from './delivery-event.ts'
import type { EventEndpointStore } from './endpoint-stores.ts'

export interface EndpointJournalParts {
  readonly config: Pick<EventsConfig, 'journal' | 'keepS'>
  readonly events: Pick<EventStore, 'list'>
  readonly endpoints: Pick<EventEndpointStore, 'find'>
  readonly organizations: Pick<Organizations, 'state'>
  readonly clock: Clock
}

const NOTHING = { items: [], nextCursor: null }

export function journalOfEndpoint(parts: EndpointJournalParts): MissedJournal {
  const { config, events, endpoints, organizations, clock } = parts
  return {
    begin: () => (config.journal ? clock.now() - config.keepS * 1000 : Number.POSITIVE_INFINITY),
    list: async (endpointId, { since, until }, { limit, cursor }) => {
      const organization = (await endpoints.find(endpointId))?.tenantId ?? null
      if (organization === null || (await organizations.state(organization)) !== 'active') return NOTHING
      const page = { limit, oldestFirst: true, ...(cursor === undefined ? {} : { cursor }) }
      const found = await events.list(organization, { since, until }, page)
      const last = found.length < limit ? undefined : found.at(-1)
      return { items: found.map(deliveryEvent), nextCursor: last?.id ?? null }
    }
  }
}
