/**
 * The registries of endpoints, one for each organisation, over one dispatcher: transport, signature, guard, history and
 * retries are those of svc-webhooks. Before each attempt the organisation is asked for again.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { Queue } from 'svc-queue'
import {
  assertUrlAllowed,
  createTransport,
  Dispatcher,
  type EndpointSecrets,
  endpointUrl,
  guardedStore,
  type LastingHistory,
  type Lookup,
  type MissedJournal,
  type OpenWebhooks,
  Recoveries,
  type RecoveryStore,
  type WebhookRecord,
  Webhooks
} from 'svc-webhooks/parts'
import type { Organizations } from '../access/organizations.ts'
import type { EventsConfig } from '../options.ts'
import type { EventEndpointStore } from './endpoint-stores.ts'

export interface EndpointsParts {
  readonly config: EventsConfig
  readonly store: EventEndpointStore
  readonly secrets: EndpointSecrets
  readonly lasting: LastingHistory
  readonly recoveries: RecoveryStore
  /** Other instances may run recoveries, and leave them. */
  readonly shared: boolean
  readonly journal: MissedJournal
  readonly queue: Queue
  readonly organizations: Organizations
  readonly lookup: Lookup
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

/** How many endpoints this instance takes deliveries of at a time; nothing is dropped beyond it. */
const HELD = 1_000

export class Endpoints {
  readonly #parts: EndpointsParts
  readonly #dispatcher: Dispatcher
  readonly #recoveries: Recoveries

  constructor(parts: EndpointsParts) {
    const { config, store, secrets, lasting, queue, organizations, lookup, clock, log } = parts
    const { allowHttp, denyPrivateIps, allowCidrs, maxConcurrent } = config
    this.#parts = parts
    this.#dispatcher = new Dispatcher({
      store: store.deliverable(organizations),
      secrets,
      transport: createTransport({
        policy: { allowHttp, denyPrivateIps, allowCidrs },
        lookup,
        clock,
        maxConnections: maxConcurrent
      }),
      // Deliveries come from the outbox: nothing of the audit journal reaches them, nor do they reach it.
      audit: { record: () => undefined, subscribe: () => () => undefined },
      clock,
      log,
      limits: { ...config, maxQueue: HELD, maxRetries: 0, snapshotTtlS: 86_400 },
      lasting,
      // Its own, so that observers of webhooks of the application do not count these among them.
      app: this,
      durable: { queue, retryScheduleS: config.retryScheduleS }
    })
    this.#recoveries = new Recoveries({
      ...parts,
      store: parts.recoveries,
      history: lasting,
      send: (endpointId, event, id) => this.#dispatcher.replay(endpointId, event, id)
    })
  }

  /** The registry of one organisation: nothing of another one is there. */
  registry(organization: string): Webhooks {
    const { config, store, secrets, lasting, lookup, clock, log } = this.#parts
    const { allowHttp, denyPrivateIps, allowCidrs, deliveryTimeoutMs: deadlineMs, maxEndpoints } = config
    const check = { allowHttp, denyPrivateIps, allowCidrs, lookup, clock, deadlineMs }
    const open: OpenWebhooks = {
      driver: 'svc-events',
      store: guardedStore(store.of(organization, maxEndpoints), clock, log),
      secrets,
      checkUrl: async (url) => endpointUrl((await assertUrlAllowed(url, check)).url),
      record: ({ action, actor, resource }) => {
        log.info({ action, actor, endpoint: resource, organization }, 'an endpoint of an organisation was changed')
      },
      dispatcher: this.#dispatcher,
      catalogue: undefined,
      clock,
      lasting,
      recoveries: this.#recoveries
    }
    return new Webhooks(open)
  }

  enabledOf(organization: string): Promise<readonly WebhookRecord[]> {
    return this.#parts.store.of(organization, 0).enabled()
  }

  /** Deliveries were stored. */
  look(): void {
    this.#dispatcher.look()
  }

  /** Deletes the endpoints of an organisation, what waits for them, and their history. */
  async forget(organization: string): Promise<void> {
    const store = this.#parts.store.of(organization, 0)
    for (;;) {
      const { items } = await store.list({}, { limit: 100 })
      if (items.length === 0) return
      for (const { id } of items) {
        await store.delete(id)
        this.#dispatcher.removed(id)
        this.#recoveries.forget(id)
      }
    }
  }

  /** @param run `false`: this instance makes no attempts but those that are asked for by hand */
  async start(run: boolean): Promise<void> {
    if (!run) return
    await this.#dispatcher.start()
    this.#recoveries.start()
  }

  async drain(): Promise<void> {
    this.#dispatcher.drain()
    await this.#recoveries.close()
  }

  async close(): Promise<void> {
    await this.#dispatcher.close()
    await this.#parts.lasting.close()
  }
}
