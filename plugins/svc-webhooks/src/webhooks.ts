/**
 * The registry of endpoints: `fastify.webhooks`, which the admin API calls. Where it is switched off reads are empty and
 * changes are refused with 503. A secret leaves at creation, rotation and on demand, and at no other time.
 */
import { randomId } from 'svc-kernel/plugin'
import type { PageQuery } from 'svc-stores'
import { pageOfRecords } from './delivery/delivery-history.ts'
import type { PendingDeliveries } from './delivery/pending-deliveries.ts'
import type { RecentOutcomes } from './delivery/recent-outcomes.ts'
import {
  checkEvents,
  type EndpointPatch,
  type EndpointView,
  endpointChanges,
  type NewEndpoint,
  type WebhookPatch,
  type WebhookRecord
} from './endpoints/endpoint.ts'
import { LONGEST_OVERLAP_S, readCredentials, rotated, sealCredentials } from './endpoints/endpoint-credentials.ts'
import { checkHeaders } from './endpoints/endpoint-headers.ts'
import { actorOf, journal, originOf } from './endpoints/endpoint-journal.ts'
import type { WebhookFilter, WebhookSortField } from './endpoints/endpoint-store.ts'
import {
  BadOverlap,
  HeadersStay,
  MessageNotFound,
  SecretUnreadable,
  WebhookNotFound,
  WebhooksUnavailable
} from './errors.ts'
import type { DeliveryFilter, DeliveryPage, DeliveryPageQuery, DeliveryRecord } from './history/delivery-record.ts'
import {
  changed,
  credentialsOf,
  hasHeaders,
  known,
  type OpenWebhooks,
  recoveriesOf,
  recovering,
  sending,
  storedFilter,
  view
} from './open-webhooks.ts'
import type { RecoveryRange } from './recovery/missed-events.ts'
import type { RecoveryView } from './recovery/recoveries.ts'
import { type EndpointPage, type EndpointStats, NO_QUEUE, NO_STATS, type WithSecret } from './registry-answers.ts'
import { generateSecret } from './signature/sign-message.ts'

/**
 * `fastify.webhooks`: creates, changes and shows endpoints and their deliveries. While it is switched off, listings
 * are empty and changes are refused with 503.
 */
export class Webhooks {
  /** One sentence that says why webhooks are closed; `null` if they are open. */
  readonly closedBecause: string | null
  readonly #open: OpenWebhooks | null

  /** @param open a sentence if the registry is closed */
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
    const stored = storedFilter(open, filter)
    const [found, total] = await Promise.all([open.store.list(stored, page), open.store.count(stored)])
    const { items, ...rest } = found
    return { enabled: true, driver: open.driver, endpoints: items.map((item) => view(open, item)), total, ...rest }
  }

  /** The last 24 hours of an endpoint, as this instance saw them; `null` if no delivery ended. */
  recent(id: string): RecentOutcomes | null {
    return this.#open?.dispatcher?.outcomes.of(id, this.#open.clock.now()) ?? null
  }

  async stats(filter: Pick<WebhookFilter, 'q'> = {}): Promise<EndpointStats> {
    const open = this.#open
    if (open === null) return NO_STATS
    const [counts, degraded, queue] = await Promise.all([
      open.store.stats(filter),
      open.store.count(storedFilter(open, { ...filter, degraded: true })),
      open.dispatcher?.state() ?? NO_QUEUE
    ])
    return { enabled: true, ...counts, degraded, queue }
  }

  /** @throws WebhookNotFound (404), also if webhooks are switched off */
  async find(id: string): Promise<EndpointView> {
    const open = this.#open
    if (open === null) throw new WebhookNotFound()
    const record = known(await open.store.find(id))
    return view(open, record, await open.lasting?.ended(id))
  }

  /**
   * The 20 deliveries that ended last, newest first: of all instances where the history lasts, else of this one.
   *
   * @throws WebhookNotFound (404), WebhooksUnavailable (503)
   */
  async deliveries(id: string): Promise<readonly DeliveryRecord[]> {
    return (await this.history(id)).deliveries
  }

  /**
   * A page of the deliveries that ended, newest first.
   *
   * @throws InvalidFilter, InvalidPage (400), WebhookNotFound (404), WebhooksUnavailable (503): absent and out of reach are
   * different answers
   */
  async history(
    id: string,
    filter: DeliveryFilter = {},
    page: DeliveryPageQuery = { limit: 20 }
  ): Promise<DeliveryPage> {
    const open = this.#open
    if (open === null) return { deliveries: [], nextCursor: null }
    known(await open.store.find(id))
    if (open.lasting !== null) return open.lasting.page(id, filter, page)
    return pageOfRecords(open.dispatcher?.deliveries(id) ?? [], filter, page)
  }

  /** Waiting deliveries of a known endpoint; `null` if the queue is unreachable, or nothing is delivered. */
  async pending(id: string): Promise<PendingDeliveries | null> {
    return (await this.#open?.dispatcher?.pending(id)) ?? null
  }

  /**
   * Registers an endpoint.
   *
   * @throws BadEvents, BadHeaders (400), SsrfError (422) for a URL that must not be called, WebhooksUnavailable (503)
   */
  async create(endpoint: NewEndpoint): Promise<WithSecret> {
    const open = this.#opened()
    const { url, events, description = null, enabled = true, metadata = {}, headers: own = {} } = endpoint
    checkEvents(events)
    const headers = checkHeaders(own)
    const normal = await open.checkUrl(url)
    const secret = generateSecret()
    const secretEnc = sealCredentials(open.secrets, { secret, previous: null, headers })
    const given = { url: normal, events, description, enabled, metadata, tenantId: null, createdBy: actorOf() }
    const record = await open.store.create({ ...given, id: randomId('wh'), secretEnc })
    open.dispatcher?.changed(record)
    journal(open, 'created', record.id, { metadata: { origin: originOf(record), events } })
    return { endpoint: view(open, record), secret }
  }

  /**
   * Changes an endpoint. One that is enabled again starts without failures.
   *
   * @param seen its `updatedAt` that the change was made from @throws BadEvents, BadHeaders, HeadersStay (400), WebhookNotFound
   * (404), SecretUnreadable, EndpointBusy, ChangedMeanwhile (409), SsrfError (422), WebhooksUnavailable (503)
   */
  async update(id: string, patch: EndpointPatch, seen?: number): Promise<EndpointView> {
    const open = this.#opened()
    const { headers, ...given } = endpointChanges(patch)
    const decide = async (before: WebhookRecord): Promise<WebhookPatch> => {
      const url = given.url === undefined ? {} : { url: await open.checkUrl(given.url) }
      const changes: WebhookPatch = {
        ...given,
        ...url,
        ...(given.enabled === true && !before.enabled ? { failureCount: 0 } : {})
      }
      if (headers !== undefined) {
        const credentials = readCredentials(open.secrets, before.secretEnc)
        return { ...changes, secretEnc: sealCredentials(open.secrets, { ...credentials, headers }) }
      }
      // Headers may contain credentials for the receiver, which the person who moves the endpoint has not seen.
      if (url.url !== undefined && originOf(before) !== originOf({ url: url.url }) && hasHeaders(open, before)) {
        throw new HeadersStay()
      }
      return changes
    }
    const record = await changed(open, id, decide, seen)
    const fields = [...Object.keys(given), ...(headers === undefined ? [] : ['headers'])]
    journal(open, 'updated', id, { metadata: { origin: originOf(record), fields } })
    return view(open, record)
  }

  /** @throws WebhookNotFound (404), WebhooksUnavailable (503) */
  async remove(id: string): Promise<void> {
    const open = this.#opened()
    if (!(await open.store.delete(id))) throw new WebhookNotFound()
    open.dispatcher?.removed(id)
    open.recoveries?.forget(id)
    journal(open, 'deleted', id)
  }

  /**
   * A new secret. The old one is invalid at once, or signs beside it for `overlapS` more seconds, so that the receiver
   * may take the new one in its own time. Of two that sign, another rotation ends the older.
   *
   * @param overlapS 0 to 604800 @throws BadOverlap (400), WebhookNotFound (404), EndpointBusy (409), with an overlap also
   * SecretUnreadable (409), WebhooksUnavailable (503)
   */
  async rotate(id: string, { overlapS = 0 }: { readonly overlapS?: number } = {}): Promise<WithSecret> {
    const open = this.#opened()
    if (!Number.isInteger(overlapS) || overlapS < 0 || overlapS > LONGEST_OVERLAP_S) {
      throw new BadOverlap(String(LONGEST_OVERLAP_S))
    }
    const secret = generateSecret()
    const record = await changed(open, id, async ({ secretEnc }) => {
      const before = credentialsOf(open, secretEnc)
      if (before === null && overlapS > 0) throw new SecretUnreadable()
      // A secret that cannot be read is replaced completely.
      const known = before ?? { secret, previous: null, headers: {} }
      const after = rotated(known, secret, { overlapS, now: open.clock.now() })
      return { secretEnc: sealCredentials(open.secrets, after) }
    })
    journal(open, 'rotated', id, overlapS === 0 ? {} : { metadata: { overlapS } })
    return { endpoint: view(open, record), secret }
  }

  /**
   * The secret in clear.
   *
   * @throws WebhookNotFound (404), SecretUnreadable (409), WebhooksUnavailable (503)
   */
  async reveal(id: string): Promise<string> {
    const open = this.#opened()
    const { secretEnc } = known(await open.store.find(id))
    const { secret } = readCredentials(open.secrets, secretEnc)
    journal(open, 'revealed', id)
    return secret
  }

  /**
   * Sends one signed `webhook.test` to this endpoint only, enabled or not: one attempt, not counted.
   *
   * @throws WebhookNotFound (404), WebhooksUnavailable (503)
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
   * @throws WebhookNotFound, MessageNotFound (404), WebhooksUnavailable (503)
   */
  async resend(id: string, messageId: string): Promise<void> {
    const open = this.#opened()
    const dispatcher = sending(open)
    if (!(await dispatcher.resend(known(await open.store.find(id)), messageId))) throw new MessageNotFound()
    journal(open, 'test', id, { reason: 'resend', metadata: { messageId } })
  }

  /**
   * Sends again what an endpoint missed, behind the call: messages that failed, and events of the audit journal that were
   * never delivered to it. Oldest first, each at least once, under the id it had.
   *
   * @param range by the time of the events; `until` is now unless told @throws BadRange (400), WebhookNotFound (404),
   * RecoveryRunning (409), WebhooksUnavailable (503), also without the option `history`
   */
  async recover(id: string, range: Omit<RecoveryRange, 'until'> & { readonly until?: number }): Promise<RecoveryView> {
    const open = this.#opened()
    sending(open)
    const { recoveries, history } = recovering(open)
    const { since, until = open.clock.now() } = range
    recoveries.check({ ...range, until }, history.begin)
    const endpoint = known(await open.store.find(id))
    const recovery = await recoveries.begin(endpoint, { ...range, until })
    journal(open, 'test', id, { reason: 'recover', metadata: { recovery: recovery.id, since, until } })
    return recovery
  }

  /** @throws RecoveryNotFound (404), also without a history, WebhooksUnavailable (503) */
  async recovery(id: string, recoveryId: string): Promise<RecoveryView> {
    return (await recoveriesOf(this.#open, id)).find(id, recoveryId)
  }

  /** Sends no further message. @throws as `recovery` */
  async cancelRecovery(id: string, recoveryId: string): Promise<RecoveryView> {
    return (await recoveriesOf(this.#open, id)).cancel(id, recoveryId)
  }

  #opened(): OpenWebhooks {
    if (this.#open === null) throw new WebhooksUnavailable(this.closedBecause ?? 'webhooks are disabled')
    return this.#open
  }
}
