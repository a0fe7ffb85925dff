/**
 * svc-events: what happens in an application, for its customers. An event is stored with the transaction of what it tells
 * about; the journal, the endpoints, the channel and the jobs of its organisation follow from there, at least once.
 *
 * Decorates  fastify.events
 * Routes     below `path`: webhooks, events; the AsyncAPI document; below `portal.path`: the portal
 * Hooks      onReady: ends the listeners, starts the relay and the deliveries; preClose: takes no more; onClose: gives back
 *            what it holds
 * Needs      nothing (svc-kernel and svc-stores are added when absent); without svc-security the routes answer 403
 */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import {
  appHost,
  BootError,
  decoratorOf,
  definePlugin,
  ensureKernel,
  inProduction,
  readOptions,
  systemClock,
  warnAtBoot
} from 'svc-kernel'
import { Worker } from 'svc-queue'
import { ensureStores } from 'svc-stores'
import type { Transaction } from 'svc-stores/table'
import { networkProblems, productionWarnings } from 'svc-webhooks/parts'
import { Organizations, type RegisteredOrganizations } from './access/organizations.ts'
import { EventCatalogue } from './definitions/event-catalogue.ts'
import { describeMessages } from './described/describe-messages.ts'
import { EventMaker } from './emitting/emitter.ts'
import { openEndpoints } from './endpoints/open-endpoints.ts'
import { Events } from './events.ts'
import { type EventsConfig, optionsSchema, type SvcEventsOptions, type SvcEventsParts } from './options.ts'
import { openPortal } from './portal/open-portal.ts'
import { portalRoutes } from './portal/portal.routes.ts'
import { PortalCatalogue } from './portal/texts.ts'
import { messageOf } from './records/event-record.ts'
import { openStore } from './records/open-store.ts'
import { eventStore } from './records/table-events.ts'
import { EventRelay } from './relay/event-relay.ts'
import { channelPublisher, handOn } from './relay/hand-on.ts'
import { Listeners } from './relay/listeners.ts'
import { RELAY_TEXTS } from './relay/relay-texts.ts'
import { eventRoutes } from './routes/event-routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Present if svc-events is registered. */
    events: Events
  }
}

const PURGE_INTERVAL_S = 600
/** A row of the journal marks an event as handed on; without a journal it says nothing else, and goes after a day. */
const MARK_S = 86_400
/** How long what is being handed on may take once the application stops, ms. */
const STOP_MS = 5_000
/** Events that this instance hands on at once, and holds. */
const AT_ONCE = 4
const HELD = 100

type Options = SvcEventsOptions & { parts?: SvcEventsParts }

const eventsPlugin: FastifyPluginAsync<Options> = async (fastify, { events: definitions, ...given }) => {
  await ensureKernel(fastify)
  const config = readOptions<EventsConfig>('svc-events', optionsSchema, given)
  const { clock = systemClock, organizations: port = {} } = given.parts ?? {}
  await ensureStores(fastify, { clock })
  const problems = networkProblems(config.allowCidrs, 'svc-events')
  if (problems.length > 0) throw new BootError(problems)
  if (inProduction(fastify)) for (const each of productionWarnings(config, 'svc-events')) warnAtBoot(fastify, each)
  const log = fastify.log.child({ plugin: 'svc-events' })
  const catalogue = new EventCatalogue(definitions ?? {})
  const registered = () =>
    decoratorOf(fastify as unknown as { readonly organizations: RegisteredOrganizations }, 'organizations')
  const organizations = new Organizations(port, registered)
  const store = openStore(fastify, eventStore, config.store)
  const endpoints = openEndpoints(fastify, {
    config,
    organizations,
    clock,
    log,
    events: store,
    parts: given.parts
  })
  const listeners = new Listeners(fastify, catalogue)
  const following = {
    store,
    organizations,
    endpoints: typeof endpoints === 'string' ? null : endpoints,
    listeners,
    keepsData: config.journal,
    publish: config.channel ? channelPublisher(fastify) : null
  }
  const relay = new EventRelay({ log, handOn: (event, traceparent) => handOn(event, traceparent, following) })
  const worker = new Worker({
    name: 'events',
    handler: relay,
    limits: { maxQueue: HELD, maxConcurrent: AT_ONCE },
    shared: { queue: store.outbox, codec: relay, texts: RELAY_TEXTS },
    clock,
    log
  })
  const run = config.run && runsByItself(fastify)
  const portal = openPortal(fastify, { config, organizations, clock, log })
  const events = new Events({
    catalogue,
    organizations,
    maker: new EventMaker({ catalogue, organizations, clock, maxBytes: config.maxBytes }),
    store,
    storeWithin: (tx: Transaction) => fastify.stores.within(eventStore, tx),
    listeners,
    endpoints,
    portal,
    stored: () => worker.look()
  })
  fastify.decorate('events', events)
  const gates = decoratorOf(fastify, 'gates')
  const knows = port.of !== undefined || registered() !== null
  eventRoutes(fastify, { config, events, organizations, knows, gates })
  if (portal !== null && config.portal !== undefined) {
    const texts = new PortalCatalogue(given.parts?.portalTexts ?? {})
    portalRoutes(fastify, { config: { ...config, portal: config.portal }, portal, events, organizations, gates, texts })
  }
  fastify.queueDepths.add('events', () => worker.waiting + worker.running)
  fastify.addHook('onReady', async () => {
    if (config.openapi && following.endpoints !== null) fastify.apiDescriptions.push(describeMessages(catalogue.types))
    listeners.seal()
    // Their journal, endpoints and deliveries go with organisations.
    registered()?.describe('events', {
      export: async ({ id }) => (await collected(events.export(id))).map(messageOf),
      erase: ({ id }) => events.forget(id)
    })
    if (run) await worker.start()
    await following.endpoints?.start(run)
  })
  fastify.addHook('preClose', async () => {
    await Promise.all([following.endpoints?.drain(), worker.stop(STOP_MS)])
  })
  fastify.addHook('onClose', async () => {
    await worker.close()
    await following.endpoints?.close()
  })
  fastify.maintenance.declare({
    name: 'events',
    store: eventStore.brick,
    everyS: PURGE_INTERVAL_S,
    clock,
    work: () => store.purge(clock.now() - (config.journal ? config.keepS : MARK_S) * 1000)
  })
}

async function collected<T>(each: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const one of each) all.push(one)
  return all
}

/** A command and a test boot an application without handing on its events. */
function runsByItself(fastify: FastifyInstance): boolean {
  const { checkOnly, command = false } = appHost(fastify)
  return !(checkOnly || command)
}

const svcEvents: FastifyPluginAsync<Options> = definePlugin(eventsPlugin, {
  name: 'svc-events',
  optionsSchema,
  liveOptions: ['events'],
  after: ['svc-stores', 'svc-docdb', 'svc-sqlorm', 'svc-security', 'svc-realtime', 'svc-jobs']
})

export default svcEvents

export type { OrganizationState, OrganizationsPort } from './access/organizations.ts'
export type { ApplicationEvents } from './definitions/application-events.ts'
export {
  defineEvents,
  type EventDefinition,
  type EventDefinitions,
  type EventMessage,
  type EventsOf
} from './definitions/define-events.ts'
export type { EventType } from './definitions/event-catalogue.ts'
export type { EmitOptions, EmittedEvent, EventData, EventEmitter, EventName } from './emitting/emitter.ts'
export type { EventListing, EventPage, Events } from './events.ts'
export type { SvcEventsOptions, SvcEventsParts } from './options.ts'
export type { PortalLink, PortalLinkOptions, PortalTheme } from './portal/portal.ts'
export type { PortalTexts } from './portal/texts-en.ts'
export type { StoredEvent } from './records/event-record.ts'
