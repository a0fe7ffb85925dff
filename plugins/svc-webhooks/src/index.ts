/**
 * svc-webhooks: sends events of the audit journal as signed messages to URLs that administrators register. Queues are
 * bounded, internal networks are closed, and losses are counted and logged.
 *
 * Decorates  fastify.webhooks
 * Hooks      onReady: starts to accept events; preClose: stops; onClose: waits for running attempts, counts the rest
 *            as lost
 * Needs      nothing (svc-kernel and svc-stores are added when absent); without svc-audit nothing is delivered,
 *            without
 *            svc-security the admin API answers 403
 */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import {
  BootError,
  type Clock,
  decoratorOf,
  definePlugin,
  ensureKernel,
  inProduction,
  readOptions,
  systemClock,
  warnAtBoot
} from 'svc-kernel'
import type { Queue } from 'svc-queue'
import { ensureStores } from 'svc-stores'
import { resealAtStart } from 'svc-stores/plugin'
import { adminDoor, adminScope } from './admin/admin-route.ts'
import { deliveriesRoutes } from './admin/deliveries.routes.ts'
import { describeWebhooks } from './admin/describe-webhooks.ts'
import { endpointsRoutes } from './admin/endpoints.routes.ts'
import { overviewRoutes } from './admin/overview.routes.ts'
import { recoveryRoutes } from './admin/recovery.routes.ts'
import { openDelivery, selectQueue, selectVersion } from './delivery/open-delivery.ts'
import { endpointUrl } from './endpoints/endpoint.ts'
import { openSecrets } from './endpoints/endpoint-secrets.ts'
import { guardedStore, webhooksStore } from './endpoints/endpoint-store.ts'
import type { Catalogue } from './endpoints/event-types.ts'
import { openHistory } from './history/open-history.ts'
import { optionsSchema, type SvcWebhooksOptions, type SvcWebhooksParts, type WebhooksConfig } from './options.ts'
import { openRecoveries } from './recovery/open-recoveries.ts'
import { type Lookup, systemLookup } from './ssrf/lookup.ts'
import { networkProblems, productionWarnings } from './ssrf/policy-problems.ts'
import { assertUrlAllowed } from './ssrf/url-guard.ts'
import { Webhooks } from './webhooks.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Present if svc-webhooks is registered, also with `enabled: false`. */
    webhooks: Webhooks
  }
}

const plugin: FastifyPluginAsync<SvcWebhooksOptions & { parts?: SvcWebhooksParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const config = readOptions<WebhooksConfig>('svc-webhooks', optionsSchema, given)
  const { clock = systemClock, lookup = systemLookup, stores = {}, queue } = given.parts ?? {}
  await ensureStores(fastify, { clock })
  const webhooks = openWebhooks(fastify, { config, clock, lookup, ready: { stores, queue } })

  fastify.decorate('webhooks', webhooks)
  const { timestampToleranceS: toleranceS, signAlg: algorithm } = config
  const gates = decoratorOf(fastify, 'gates')
  adminScope(fastify, (scope) => {
    overviewRoutes(scope, webhooks, { catalogue: () => catalogueOf(fastify), toleranceS, algorithm })
    const door = adminDoor(webhooks, gates)
    endpointsRoutes(scope, door)
    deliveriesRoutes(scope, door)
    recoveryRoutes(scope, door)
  })
  fastify.addHook('onReady', async () => {
    if (gates === null && decoratorOf(fastify, 'gates') !== null) throw lateGates()
    const catalogue = catalogueOf(fastify)
    if (webhooks.enabled && catalogue !== undefined) {
      fastify.apiDescriptions.push(describeWebhooks(catalogue, { toleranceS }))
    }
  })
}

interface WebhooksParts {
  readonly config: WebhooksConfig
  readonly clock: Clock
  readonly lookup: Lookup
  /** Parts that the application provides. */
  readonly ready: { readonly stores: NonNullable<SvcWebhooksParts['stores']>; readonly queue: Queue | undefined }
}

/**
 * Opens the registry. A missing key or store, or `enabled: false`, closes it with a sentence that says why. Without a
 * journal, endpoints are stored but nothing is delivered.
 *
 * @throws BootError for an invalid key or network, and for an explicit store that is unknown
 */
function openWebhooks(fastify: FastifyInstance, { config, clock, lookup, ready }: WebhooksParts): Webhooks {
  const problems = networkProblems(config.allowCidrs)
  if (problems.length > 0) throw new BootError(problems)
  if (!config.enabled) return new Webhooks('webhooks are disabled: enabled is false')
  const secrets = openSecrets(fastify, config.encryptionKey)
  if (secrets === null) return new Webhooks('webhooks are disabled: encryptionKey is missing')
  const { driver, store } = fastify.stores.select(webhooksStore, config.store, ready.stores.webhooks)
  if (store === null) return new Webhooks(`webhooks are disabled: the store "${config.store}" is unknown`)
  resealAtStart(fastify, { name: 'secrets of webhooks', box: secrets, reseal: store.reseal })
  if (inProduction(fastify)) for (const problem of productionWarnings(config)) warnAtBoot(fastify, problem)

  const { allowHttp, denyPrivateIps, allowCidrs, deliveryTimeoutMs: deadlineMs } = config
  const check = { allowHttp, denyPrivateIps, allowCidrs, lookup, clock, deadlineMs }
  const queue = selectQueue(fastify, config, driver, ready.queue)
  const version = selectVersion(fastify, config, driver)
  const lasting = openHistory(fastify, { config, clock, durable: queue !== null, ready: ready.stores.history })
  const dispatcher = openDelivery(fastify, { config, store, secrets, clock, lookup, queue, version, lasting })
  fastify.queueDepths.add('webhooks', () => dispatcher.queue().size)
  return new Webhooks({
    driver,
    store: guardedStore(store, clock, fastify.log.child({ plugin: 'svc-webhooks' })),
    secrets,
    clock,
    lasting,
    recoveries: openRecoveries(fastify, { config, clock, lasting, dispatcher }),
    checkUrl: async (url) => endpointUrl((await assertUrlAllowed(url, check)).url),
    record: (record) => {
      if (fastify.hasDecorator('audit')) fastify.audit.record(record)
    },
    get dispatcher() {
      return fastify.hasDecorator('audit') ? dispatcher : null
    },
    get catalogue() {
      return catalogueOf(fastify)
    }
  })
}

/** The catalogue of the journal; absent without svc-audit, which may be registered after this plugin. */
function catalogueOf(fastify: FastifyInstance): Catalogue | undefined {
  return fastify.hasDecorator('audit') ? fastify.audit.catalogue : undefined
}

/** Without this check, the admin API would change endpoints without the CSRF checks of svc-security. */
function lateGates(): BootError {
  return new BootError([
    {
      code: 'SVC_WEBHOOKS_EARLY',
      message:
        'svc-webhooks is registered before svc-security: its routes would have no CSRF protection and no idempotency',
      at: 'svc-webhooks',
      got: 'before svc-security',
      expected: 'after svc-security',
      fix: 'register svc-webhooks after svc-security',
      more: 'npx svc docs webhooks'
    }
  ])
}

const svcWebhooks: FastifyPluginAsync<SvcWebhooksOptions & { parts?: SvcWebhooksParts }> = definePlugin(plugin, {
  name: 'svc-webhooks',
  optionsSchema,
  after: ['svc-stores', 'svc-docdb', 'svc-sqlorm', 'svc-audit', 'svc-security', 'svc-realtime']
})

export default svcWebhooks

export { describeWebhooks } from './admin/describe-webhooks.ts'
export {
  type AttemptEvent,
  DELIVERY_CHANNELS,
  type DeliveryChannel,
  type DeliveryEvent
} from './delivery/delivery-channels.ts'
export type { BacklogState, PendingDeliveries, PendingDelivery, QueueState } from './delivery/pending-deliveries.ts'
export type { RecentOutcomes } from './delivery/recent-outcomes.ts'
export {
  type AttemptResult,
  createTransport,
  type DeliveryRequest,
  type Transport,
  type TransportOptions
} from './delivery/transport/transport.ts'
export type { EndpointPatch, EndpointView, NewEndpoint, WebhookSummary } from './endpoints/endpoint.ts'
export type { DeliveryOutcome, DeliveryPage, DeliveryRecord } from './history/delivery-record.ts'
export type { SvcWebhooksOptions, SvcWebhooksParts } from './options.ts'
export type { Missed, RecoveryRange } from './recovery/missed-events.ts'
export type { RecoveryView } from './recovery/recoveries.ts'
export type { EndpointPage, EndpointStats, WithSecret } from './registry-answers.ts'
export { createSeenMessages, type SeenMessages, type SeenMessagesOptions } from './signature/seen-messages.ts'
export { generateSecret, signMessage } from './signature/sign-message.ts'
export { type ReceivedHeaders, verifyWebhook, WebhookVerificationError } from './signature/verify-webhook.ts'
export type { SsrfPolicy } from './ssrf/address-policy.ts'
export { type Lookup, type ResolvedAddress, systemLookup } from './ssrf/lookup.ts'
export { SsrfError, type SsrfReason } from './ssrf/ssrf-error.ts'
export { assertUrlAllowed, type CheckedTarget, type UrlCheckOptions } from './ssrf/url-guard.ts'
export type { Webhooks } from './webhooks.ts'
