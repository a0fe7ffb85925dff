/**
 * Creates the dispatcher and connects it to the lifecycle of the application: it accepts events once the application
 * is ready, stops when closing begins, and ends before stores close. It looks for a journal after all plugins are
 * registered, so their order does not matter.
 */
import type { FastifyInstance } from 'fastify'
import type { Queue } from 'svc-queue'
import { type EndpointVersion, endpointVersionStore } from '../endpoints/endpoint-version.ts'
import type { WebhooksConfig } from '../options.ts'
import type { Lookup } from '../ssrf/lookup.ts'
import { deliveriesStore } from './deliveries-queue.ts'
import { Dispatcher, type DispatcherParts } from './dispatcher.ts'
import { createTransport } from './transport/transport.ts'

export interface DeliveryParts
  extends Pick<Required<DispatcherParts>, 'store' | 'secrets' | 'clock' | 'lasting' | 'version'> {
  readonly config: WebhooksConfig
  readonly lookup: Lookup
  /** The durable queue; `null` for the memory queue. */
  readonly queue: Queue | null
}

const isDatabase = (driver: string) => driver !== 'memory' && driver !== 'parts'

/** @param endpoints the driver of their store */
export function selectVersion(
  fastify: FastifyInstance,
  { store }: Pick<WebhooksConfig, 'store'>,
  endpoints: string
): EndpointVersion | null {
  return isDatabase(endpoints) ? fastify.stores.select(endpointVersionStore, store).store : null
}

/**
 * Chooses the queue.
 *
 * @param endpoints the driver of their store @param ready a queue of the application, which takes precedence
 * @returns `null` for the memory queue
 */
export function selectQueue(
  fastify: FastifyInstance,
  { queue, store }: Pick<WebhooksConfig, 'queue' | 'store'>,
  endpoints: string,
  ready: Queue | undefined
): Queue | null {
  if (ready === undefined && (queue === 'memory' || (queue === 'auto' && !isDatabase(endpoints)))) return null
  return fastify.stores.select(deliveriesStore, store, ready).store
}

export function openDelivery(fastify: FastifyInstance, parts: DeliveryParts): Dispatcher {
  const { config: limits, clock, lookup, queue } = parts
  const log = fastify.log.child({ plugin: 'svc-webhooks' })
  const dispatcher = new Dispatcher({
    ...parts,
    transport: createTransport({ policy: limits, lookup, clock, maxConnections: limits.maxConcurrent }),
    audit: {
      record: (record) => fastify.audit.record(record),
      subscribe: (listener, options) => fastify.audit.subscribe(listener, options)
    },
    log,
    app: fastify.server,
    limits,
    durable: queue === null ? null : { queue, retryScheduleS: limits.retryScheduleS }
  })
  fastify.addHook('onReady', async () => {
    if (fastify.hasDecorator('audit')) await dispatcher.start()
    else log.info('svc-audit is not registered: webhook endpoints are stored, but nothing is delivered')
  })
  fastify.addHook('preClose', async () => {
    const { size, inFlight } = dispatcher.queue()
    if (size + inFlight > 0) {
      const rest = queue === null ? `dropping ${size} that are waiting` : `leaving ${size} in their queue`
      const text = `webhook deliveries: draining ${inFlight}, ${rest}`
      log.info({ inFlight, waiting: size }, text)
    }
    // Not awaited: the server answers running requests meanwhile, and the events that they record are counted.
    dispatcher.drain()
  })
  fastify.addHook('onClose', async () => dispatcher.close())
  return dispatcher
}
