/**
 * Puts the registry and the dispatcher together from the options. What is lacking, a key,
 * a store, the switch itself, closes the registry with one sentence that says so; where the
 * application is ready without a journal, endpoints are kept and nothing is delivered.
 */
import type { FastifyInstance } from 'fastify'
import { BootError, type Clock, inProduction, warnProblem } from 'svc-kernel'
import type { WebhooksStore } from 'svc-stores'
import { createDispatcher } from '../dispatch/create-dispatcher.ts'
import type { Dispatcher, DispatcherParts } from '../dispatch/dispatcher.ts'
import type { WebhooksConfig } from '../options.ts'
import { EndpointJournal } from '../registry/endpoint-journal.ts'
import { endpointUrl } from '../registry/endpoint-url.ts'
import type { Catalogue } from '../registry/event-warnings.ts'
import { StoreDoor } from '../registry/store-door.ts'
import { Webhooks } from '../registry/webhooks.ts'
import type { EndpointSecrets } from '../secrets/endpoint-secrets.ts'
import { assertUrlAllowed } from '../ssrf/assert-url-allowed.ts'
import type { Lookup } from '../ssrf/ssrf-policy.ts'
import { createTransport } from '../transport/create-transport.ts'
import { networkProblems } from './check-networks.ts'
import { openSecrets } from './open-secrets.ts'
import { settingLints } from './setting-lints.ts'

export interface WebhooksParts {
  readonly config: WebhooksConfig
  readonly clock: Clock
  readonly lookup: Lookup
  /** A ready store of the application's own. */
  readonly ready: WebhooksStore | undefined
}

export interface OpenedWebhooks {
  readonly webhooks: Webhooks
  readonly dispatcher: Dispatcher | null
}

/** @throws BootError for a key or a network that is none, and for an explicit store that is unknown */
export function openWebhooks(fastify: FastifyInstance, parts: WebhooksParts): OpenedWebhooks {
  const { config } = parts
  const problems = networkProblems(config.allowCidrs)
  if (problems.length > 0) throw new BootError(problems)
  if (!config.enabled) return closed('webhooks are disabled: enabled is false')
  const secrets = openSecrets(fastify, config.encryptionKey)
  if (secrets === null) return closed('webhooks are disabled: there is no key for their secrets')
  const { driver, store } = fastify.stores.select('webhooks', config.store, parts.ready)
  if (store === null) return closed(`webhooks are disabled: the store "${config.store}" is unknown`)
  if (inProduction(fastify)) {
    for (const problem of settingLints(config)) warnProblem(fastify.log, problem)
  }
  return open(fastify, parts, { driver, store, secrets })
}

function closed(reason: string): OpenedWebhooks {
  return { webhooks: new Webhooks(reason), dispatcher: null }
}

interface Kept {
  readonly driver: string
  readonly store: WebhooksStore
  readonly secrets: EndpointSecrets
}

function open(fastify: FastifyInstance, parts: WebhooksParts, { driver, store, secrets }: Kept): OpenedWebhooks {
  const { config, clock, lookup } = parts
  const { allowHttp, denyPrivateIps, allowCidrs, deliveryTimeoutMs } = config
  const policy = { allowHttp, denyPrivateIps, allowCidrs }
  const check = { ...policy, lookup, clock, deadlineMs: deliveryTimeoutMs }
  const log = fastify.log.child({ plugin: 'svc-webhooks' })
  const dispatcher = openDispatcher(fastify, parts, { store, secrets })
  const webhooks = new Webhooks({
    driver,
    door: new StoreDoor({ store, clock, log }),
    secrets,
    checkUrl: async (url) => endpointUrl((await assertUrlAllowed(url, check)).url),
    journal: new EndpointJournal(fastify),
    get dispatcher() {
      return fastify.hasDecorator('audit') ? dispatcher : null
    },
    get catalogue() {
      return catalogueOf(fastify)
    }
  })
  return { webhooks, dispatcher }
}

/** Absent where no journal says what it records. svc-audit may be registered later than this plugin. */
export function catalogueOf(fastify: FastifyInstance): Catalogue | undefined {
  return fastify.hasDecorator('audit') ? fastify.audit.catalogue : undefined
}

function openDispatcher(
  fastify: FastifyInstance,
  { config, clock, lookup }: WebhooksParts,
  { store, secrets }: Pick<Kept, 'store' | 'secrets'>
): Dispatcher {
  const log = fastify.log.child({ plugin: 'svc-webhooks' })
  const { allowHttp, denyPrivateIps, allowCidrs, maxConcurrent: maxConnections, ...limits } = config
  const policy = { allowHttp, denyPrivateIps, allowCidrs }
  const transport = createTransport({ policy, lookup, clock, maxConnections })
  // Asked for the journal only when it is there: svc-audit may come later.
  const audit: DispatcherParts['audit'] = {
    record: (record) => fastify.audit.record(record),
    subscribe: (listener) => fastify.audit.subscribe(listener)
  }
  const parts = { store, secrets, transport, audit, clock, log, app: fastify.server }
  return createDispatcher({ ...parts, limits: { ...limits, maxConcurrent: maxConnections } })
}
