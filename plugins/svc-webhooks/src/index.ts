/**
 * svc-webhooks: events of the audit journal, sent as signed messages to URLs that
 * administrators registered. Bounded, kept out of the internal network, and honest about loss.
 *
 * Decorates  fastify.webhooks
 * Hooks      onReady: takes events; preClose: takes no more; onClose: waits for the attempts under way, counts the rest
 * Needs      nothing (svc-kernel and svc-stores are added when absent); without svc-audit nothing is
 *            delivered, without svc-security the admin API answers 403
 */
import type { FastifyPluginAsync } from 'fastify'
import { BootError, decoratorOf, definePlugin, ensureKernel, readOptions, systemClock } from 'svc-kernel'
import { ensureStores } from 'svc-stores'
import { webhooksApi } from './admin/webhooks-api.ts'
import { catalogueOf, openWebhooks } from './boot/open-webhooks.ts'
import { runDispatcher } from './boot/run-dispatcher.hook.ts'
import { describeWebhooks } from './description/describe-webhooks.ts'
import { optionsSchema, type SvcWebhooksOptions, type SvcWebhooksParts, type WebhooksConfig } from './options.ts'
import type { Webhooks } from './registry/webhooks.ts'
import { systemLookup } from './ssrf/system-lookup.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Present when svc-webhooks is registered, also where it is switched off. */
    webhooks: Webhooks
  }
}

const plugin: FastifyPluginAsync<SvcWebhooksOptions & { parts?: SvcWebhooksParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const config = readOptions<WebhooksConfig>('svc-webhooks', optionsSchema, given)
  const { clock = systemClock, lookup = systemLookup, stores = {} } = given.parts ?? {}
  await ensureStores(fastify, { clock })
  const { webhooks, dispatcher } = openWebhooks(fastify, { config, clock, lookup, ready: stores.webhooks })

  fastify.decorate('webhooks', webhooks)
  if (dispatcher !== null) runDispatcher(fastify, dispatcher)
  const { timestampToleranceS: toleranceS, signAlg: algorithm } = config
  const gates = decoratorOf(fastify, 'gates')
  webhooksApi(fastify, { webhooks, gates, events: { catalogue: () => catalogueOf(fastify), toleranceS, algorithm } })
  fastify.addHook('onReady', async () => {
    if (gates === null && decoratorOf(fastify, 'gates') !== null) throw lateGates()
    const catalogue = catalogueOf(fastify)
    if (webhooks.enabled && catalogue !== undefined) {
      fastify.apiDescriptions.push(describeWebhooks(catalogue, { toleranceS }))
    }
  })
}

/** The changes of the admin API would be made without the proofs that svc-security asks of browsers. */
function lateGates(): BootError {
  return new BootError([
    {
      code: 'SVC_WEBHOOKS_EARLY',
      message: 'svc-webhooks is registered before svc-security: its routes would go without CSRF and idempotency',
      at: 'svc-webhooks',
      got: 'before svc-security',
      expected: 'after svc-security',
      fix: 'register svc-webhooks after svc-security',
      more: 'docs/guides/webhooks.md'
    }
  ])
}

const svcWebhooks: FastifyPluginAsync<SvcWebhooksOptions & { parts?: SvcWebhooksParts }> = definePlugin(plugin, {
  name: 'svc-webhooks',
  optionsSchema,
  after: ['svc-stores', 'svc-docdb', 'svc-sqlorm', 'svc-audit', 'svc-security', 'svc-realtime']
})

export default svcWebhooks

export { type AuditAlert, auditAlert } from 'svc-kernel'
export { describeWebhooks } from './description/describe-webhooks.ts'
export {
  type AttemptNews,
  DELIVERY_CHANNELS,
  type DeliveryChannel,
  type DeliveryNews
} from './dispatch/delivery-channels.ts'
export type { QueueState } from './dispatch/dispatcher.ts'
export * from './errors.ts'
export type { DeliveryOutcome, DeliveryRecord } from './history/delivery-record.ts'
export type { SvcWebhooksOptions, SvcWebhooksParts } from './options.ts'
export type { EndpointPage, EndpointPatch, EndpointStats, NewEndpoint, WithSecret } from './registry/endpoint.ts'
export type { EndpointView } from './registry/endpoint-view.ts'
export type { Webhooks } from './registry/webhooks.ts'
export type { ReceivedHeaders } from './signature/message-headers.ts'
export { generateSecret } from './signature/secret.ts'
export { createSeenMessages, type SeenMessages, type SeenMessagesOptions } from './signature/seen-messages.ts'
export { signMessage } from './signature/sign-message.ts'
export { WebhookVerificationError } from './signature/verification-error.ts'
export { verifyWebhook } from './signature/verify-webhook.ts'
export { assertUrlAllowed, type UrlCheckOptions } from './ssrf/assert-url-allowed.ts'
export { SsrfError, type SsrfReason } from './ssrf/ssrf-error.ts'
export type { Lookup, ResolvedAddress, SsrfPolicy } from './ssrf/ssrf-policy.ts'
export { systemLookup } from './ssrf/system-lookup.ts'
export type { CheckedTarget } from './ssrf/url-guard.ts'
export type { AttemptResult, DeliveryRequest } from './transport/attempt-result.ts'
export { createTransport } from './transport/create-transport.ts'
export type { Transport, TransportOptions } from './transport/transport.ts'
