/**
 * The registry of endpoints: `fastify.webhooks`, which the admin API calls. Where it is switched off reads are empty and
 * changes are refused with 503. A secret leaves at creation, rotation and on demand, and at no other time.
 */
import { type AuditRecord, currentRequest, currentUser, randomId } from 'svc-kernel'
import type { Page, PageQuery } from 'svc-stores'
import type { BacklogState } from './delivery/backlog.ts'
import type { DeliveryRecord } from './delivery/delivery-history.ts'
import type { Dispatcher } from './delivery/dispatcher.ts'
import {
  checkEvents,
  type EndpointPatch,
  type EndpointView,
  endpointChanges,
  endpointView,
  type NewEndpoint,
  type WebhookPatch,
  type WebhookRecord
} from './endpoints/endpoint.ts'
import type { EndpointSecrets } from './endpoints/endpoint-secrets.ts'
import type { WebhookFilter, WebhookSortField, WebhookStats, WebhooksStore } from './endpoints/endpoint-store.ts'
import type { Catalogue } from './endpoints/event-types.ts'
import { MessageUnknown, SecretUnreadable, WebhooksUnavailable, WebhookUnknown } from './errors.ts'
import { generateSecret } from './signature/sign-message.ts'

export interface WithSecret {
  readonly endpoint: EndpointView
  /** `whsec_...`, in clear. */
  readonly secret: string
}

export interface EndpointPage extends Omit<Page<EndpointView>, 'items'> {
  readonly enabled: boolean
  /** Name of the store's driver; `null` where there is none. */
  readonly driver: string | null
  readonly endpoints: readonly EndpointView[]
  readonly total: number
}

export interface EndpointStats extends WebhookStats {
  readonly enabled: boolean
  readonly queue: BacklogState
}

/** What a registry that works is made of. */
export interface OpenWebhooks {
  readonly driver: string
  /** Its failures are WebhooksUnavailable (503). */
  readonly store: WebhooksStore
  readonly secrets: EndpointSecrets
  /** @returns the normal form of the URL @throws SsrfError (422) */
  readonly checkUrl: (url: string) => Promise<string>
  /** Into the audit journal, where there is one. */
  readonly record: (record: AuditRecord) => void
  /** `null` where there is no journal to take events from. */
  readonly dispatcher: Dispatcher | null
  readonly catalogue: Catalogue | undefined
}

const NO_QUEUE: BacklogState = Object.freeze({ size: 0, inFlight: 0, dropped: 0 })

export class Webhooks {
  /** One sentence that says why nothing works here; `null` where it does. */
  readonly closedBecause: string | null
  readonly #open: OpenWebhooks | null

  /** @param open a sentence where the registry is switched off */
  constructor(open: OpenWebhooks | string) {
    this.closedBecause = typeof open === 'string' ? open : null
    this.#open = typeof open === 'string' ? null : open
  }

  get enabled(): boolean {
    return this.#open !== null
  }

  /** @throws UnknownSortField, InvalidFilter, InvalidPage (400), WebhooksUnavailable (503) */
  async list(filter: WebhookFilter = {}, page: PageQuery<WebhookSortField> = {}): Promise<EndpointPage> {
    const { limit = 50, offset = 0 } = page
    const open = this.#open
    if (open === null) {
      return { enabled: false, driver: null, endpoints: [], total: 0, limit, offset, hasNext: false }
    }
    const [found, total] = await Promise.all([open.store.list(filter, page), open.store.count(filter)])
    const { items, ...rest } = found
    return { enabled: true, driver: open.driver, endpoints: items.map((item) => view(open, item)), total, ...rest }
  }

  async stats(filter: Pick<WebhookFilter, 'q'> = {}): Promise<EndpointStats> {
    const open = this.#open
    if (open === null) return { enabled: false, total: 0, active: 0, disabled: 0, failing: 0, queue: NO_QUEUE }
    const [counts, queue] = await Promise.all([open.store.stats(filter), open.dispatcher?.state() ?? NO_QUEUE])
    return { enabled: true, ...counts, queue }
  }

  /** @throws WebhookUnknown (404), also where the registry is switched off */
  async find(id: string): Promise<EndpointView> {
    const open = this.#open
    if (open === null) throw new WebhookUnknown()
    return view(open, known(await open.store.find(id)))
  }

  /**
   * Deliveries of this instance that have ended, newest first, at most 20.
   *
   * @throws WebhookUnknown (404)
   */
  async deliveries(id: string): Promise<readonly DeliveryRecord[]> {
    const open = this.#open
    if (open === null) return []
    known(await open.store.find(id))
    return open.dispatcher?.deliveries(id) ?? []
  }

  /**
   * Registers an endpoint.
   *
   * @throws BadEvents (400), SsrfError (422) for a URL that must not be called, WebhooksUnavailable (503)
   */
  async create({ url, events, description = null, enabled = true, metadata = {} }: NewEndpoint): Promise<WithSecret> {
    const open = this.#opened()
    checkEvents(events)
    const normal = await open.checkUrl(url)
    const secret = generateSecret()
    const given = { url: normal, events, description, enabled, metadata, tenantId: null, createdBy: actorOf() }
    const record = await open.store.create({ ...given, id: randomId('wh'), secretEnc: open.secrets.seal(secret) })
    open.dispatcher?.changed(record)
    journal(open, 'created', record.id, { metadata: { origin: originOf(record), events } })
    return { endpoint: view(open, record), secret }
  }

  /**
   * Changes an endpoint. One that is enabled again starts without failures.
   *
   * @throws BadEvents (400), WebhookUnknown (404), SsrfError (422), WebhooksUnavailable (503)
   */
  async update(id: string, patch: EndpointPatch): Promise<EndpointView> {
    const open = this.#opened()
    const given = endpointChanges(patch)
    const before = known(await open.store.find(id))
    const changes: WebhookPatch = {
      ...given,
      ...(given.url === undefined ? {} : { url: await open.checkUrl(given.url) }),
      ...(given.enabled === true && !before.enabled ? { failureCount: 0 } : {})
    }
    const record = await changed(open, id, changes)
    journal(open, 'updated', id, { metadata: { origin: originOf(record), fields: Object.keys(given) } })
    return view(open, record)
  }

  /** @throws WebhookUnknown (404), WebhooksUnavailable (503) */
  async remove(id: string): Promise<void> {
    const open = this.#opened()
    if (!(await open.store.delete(id))) throw new WebhookUnknown()
    open.dispatcher?.removed(id)
    journal(open, 'deleted', id)
  }

  /**
   * A new secret; the old one is invalid at once.
   *
   * @throws WebhookUnknown (404), WebhooksUnavailable (503)
   */
  async rotate(id: string): Promise<WithSecret> {
    const open = this.#opened()
    const secret = generateSecret()
    const record = await changed(open, id, { secretEnc: open.secrets.seal(secret) })
    journal(open, 'rotated', id)
    return { endpoint: view(open, record), secret }
  }

  /**
   * The secret in clear.
   *
   * @throws WebhookUnknown (404), SecretUnreadable (409), WebhooksUnavailable (503)
   */
  async reveal(id: string): Promise<string> {
    const open = this.#opened()
    const { secretEnc } = known(await open.store.find(id))
    const secret = opened(open.secrets, secretEnc)
    journal(open, 'revealed', id)
    return secret
  }

  /**
   * Sends one signed `webhook.test` to this endpoint only, enabled or not: one attempt, not counted.
   *
   * @throws WebhookUnknown (404), WebhooksUnavailable (503)
   */
  async sendTest(id: string): Promise<{ readonly messageId: string }> {
    const open = this.#opened()
    const dispatcher = sending(open)
    const sent = await dispatcher.sendTest(known(await open.store.find(id)))
    journal(open, 'test', id, { metadata: sent })
    return sent
  }

  /**
   * Sends a message of the history again, under the same id: one attempt, not counted.
   *
   * @throws WebhookUnknown, MessageUnknown (404), WebhooksUnavailable (503)
   */
  async resend(id: string, messageId: string): Promise<void> {
    const open = this.#opened()
    const dispatcher = sending(open)
    if (!(await dispatcher.resend(known(await open.store.find(id)), messageId))) throw new MessageUnknown()
    journal(open, 'test', id, { reason: 'resend', metadata: { messageId } })
  }

  #opened(): OpenWebhooks {
    if (this.#open === null) throw new WebhooksUnavailable(this.closedBecause ?? 'webhooks are disabled')
    return this.#open
  }
}

function known(record: WebhookRecord | null): WebhookRecord {
  if (record === null) throw new WebhookUnknown()
  return record
}

async function changed({ store, dispatcher }: OpenWebhooks, id: string, patch: WebhookPatch): Promise<WebhookRecord> {
  const record = known(await store.update(id, patch))
  dispatcher?.changed(record)
  return record
}

function view({ dispatcher, catalogue }: OpenWebhooks, record: Parameters<typeof endpointView>[0]): EndpointView {
  return endpointView(record, dispatcher?.droppedOf(record.id) ?? 0, catalogue)
}

function sending({ dispatcher }: OpenWebhooks): Dispatcher {
  if (dispatcher === null) throw new WebhooksUnavailable('nothing is delivered here: svc-audit is not registered')
  return dispatcher
}

function opened(secrets: EndpointSecrets, secretEnc: string): string {
  try {
    return secrets.open(secretEnc)
  } catch {
    throw new SecretUnreadable()
  }
}

/** What an administrator did to an endpoint: who, from where. @param more `metadata` and `reason` of the record */
function journal(
  { record }: OpenWebhooks,
  deed: 'created' | 'updated' | 'deleted' | 'rotated' | 'revealed' | 'test',
  id: string,
  more: Pick<AuditRecord, 'metadata' | 'reason'> = {}
): void {
  const request = currentRequest()
  const userAgent = request?.headers['user-agent'] ?? null
  const from = request === undefined ? {} : { ip: request.ip, userAgent, requestId: request.id }
  const actor = actorOf()
  record({ category: 'webhook', action: `webhook.${deed}`, outcome: 'success', actor, resource: id, ...from, ...more })
}

/** Who acts; `null` outside a request. */
function actorOf(): string | null {
  return currentRequest() === undefined ? null : currentUser().identifier
}

function originOf({ url }: WebhookRecord): string {
  return new URL(url).origin
}
