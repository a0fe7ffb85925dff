/** Opens the endpoints of organisations, where the options ask for deliveries and there is a key for their secrets. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Clock } from 'svc-kernel'
import { resealAtStart } from 'svc-stores/plugin'
import { LastingHistory, openSecrets, systemLookup } from 'svc-webhooks/parts'
import type { Organizations } from '../access/organizations.ts'
import type { EventsConfig, SvcEventsParts } from '../options.ts'
import type { EventStore } from '../records/event-store.ts'
import { openStore } from '../records/open-store.ts'
import { eventEndpointStore, eventHistoryStore, eventRecoveryStore } from './endpoint-stores.ts'
import { Endpoints } from './endpoints.ts'
import { journalOfEndpoint } from './journal-of-endpoint.ts'

export interface OpenEndpointsParts {
  readonly config: EventsConfig
  readonly organizations: Organizations
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly events: EventStore
  readonly parts: SvcEventsParts | undefined
}

/** Part of every stored secret; it never changes. */
const OWNER = { plugin: 'svc-events', context: 'svc-events/secret', variable: 'SVC_EVENT_KEY' }

/** @returns a sentence that says why there are none @throws BootError for an invalid key */
export function openEndpoints(fastify: FastifyInstance, open: OpenEndpointsParts): Endpoints | string {
  const { config, organizations, clock, log, events, parts } = open
  if (!config.webhooks) return 'events are not delivered to endpoints: webhooks is false'
  const secrets = openSecrets(fastify, config.encryptionKey, OWNER)
  if (secrets === null) return 'events are not delivered to endpoints: encryptionKey is missing'
  const store = openStore(fastify, eventEndpointStore, config.store)
  const history = openStore(fastify, eventHistoryStore, config.store)
  resealAtStart(fastify, { name: 'secrets of endpoints of events', box: secrets, reseal: store.reseal })
  const lasting = new LastingHistory({ store: history, clock, log, ...config.history })
  lasting.sweptBy(fastify.maintenance, { name: 'event-history', store: eventHistoryStore.brick })
  const lookup = parts?.lookup ?? systemLookup
  const recoveries = openStore(fastify, eventRecoveryStore, config.store)
  const shared = fastify.stores.select(eventRecoveryStore, config.store).driver !== 'memory'
  const journal = journalOfEndpoint({ config, events, endpoints: store, organizations, clock })
  const recovering = { recoveries, shared, journal }
  const queue = events.deliveries
  return new Endpoints({ config, store, secrets, lasting, ...recovering, queue, organizations, lookup, clock, log })
}
