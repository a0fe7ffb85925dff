/**
 * An open registry: its parts, and the steps that its operations share. A change reads, decides and writes, and starts
 * again if the sealed part has changed meanwhile.
 */
import type { AuditRecord, Clock } from 'svc-kernel'
import { changedMeanwhile } from 'svc-kernel/plugin'
import { type EndedCounts, NONE_ENDED } from './degraded.ts'
import type { Dispatcher } from './delivery/dispatcher.ts'
import { type EndpointView, endpointView, type WebhookPatch, type WebhookRecord } from './endpoints/endpoint.ts'
import { type EndpointCredentials, openCredentials } from './endpoints/endpoint-credentials.ts'
import type { EndpointSecrets } from './endpoints/endpoint-secrets.ts'
import type { StoredFilter, WebhookFilter, WebhooksStore } from './endpoints/endpoint-store.ts'
import type { Catalogue } from './endpoints/event-types.ts'
import { EndpointBusy, RecoveryNotFound, WebhookNotFound, WebhooksUnavailable } from './errors.ts'
import type { LastingHistory } from './history/lasting-history.ts'
import type { Recoveries } from './recovery/recoveries.ts'

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
  readonly clock: Clock
  /** `null`: each instance remembers its own last deliveries. */
  readonly lasting: LastingHistory | null
  /** `null`: nothing says what was delivered. */
  readonly recoveries: Recoveries | null
}

export function known(record: WebhookRecord | null): WebhookRecord {
  if (record === null) throw new WebhookNotFound()
  return record
}

/** Enough for people; a program that changes one endpoint without end gets the rest. */
const CHANGE_ATTEMPTS = 5

/**
 * Reads, decides, writes; where somebody else changed what is sealed in between, again.
 *
 * @param seen the `updatedAt` that the change was made from; `undefined` for whatever is stored
 * @throws ChangedMeanwhile (409) where `seen` is not what is stored
 */
export async function changed(
  open: OpenWebhooks,
  id: string,
  decide: (before: WebhookRecord) => Promise<WebhookPatch>,
  seen?: number
): Promise<WebhookRecord> {
  const { store, dispatcher } = open
  for (let attempt = 0; attempt < CHANGE_ATTEMPTS; attempt += 1) {
    const before = known(await store.find(id))
    if (seen !== undefined && before.updatedAt !== seen) {
      throw changedMeanwhile('the endpoint', { ...view(open, before) })
    }
    const record = await store.update(id, await decide(before), before.secretEnc, seen)
    if (record === null) continue
    dispatcher?.changed(record)
    return record
  }
  throw new EndpointBusy()
}

/** @param ended of the last 24 hours; without it, as this instance saw them */
export function view(
  open: OpenWebhooks,
  record: Parameters<typeof endpointView>[0],
  ended: EndedCounts | null = null
): EndpointView {
  return endpointView(record, {
    ended: ended ?? open.dispatcher?.outcomes.endedOf(record.id, open.clock.now()) ?? NONE_ENDED,
    dropped: open.dispatcher?.droppedOf(record.id) ?? 0,
    catalogue: open.catalogue,
    credentialsOf: (secretEnc) => credentialsOf(open, secretEnc),
    now: open.clock.now()
  })
}

/** The filter as the store takes it: it does not know how deliveries ended. */
export function storedFilter({ dispatcher, clock }: OpenWebhooks, filter: WebhookFilter): StoredFilter {
  const { degraded: is, ...stored } = filter
  if (is === undefined) return stored
  return { ...stored, degraded: { ids: dispatcher?.outcomes.degraded(clock.now()) ?? [], is } }
}

/** `null` where they cannot be read. */
export function credentialsOf({ secrets }: OpenWebhooks, secretEnc: string): EndpointCredentials | null {
  try {
    return openCredentials(secrets, secretEnc)
  } catch {
    return null
  }
}

export function hasHeaders(open: OpenWebhooks, { secretEnc }: WebhookRecord): boolean {
  return Object.keys(credentialsOf(open, secretEnc)?.headers ?? {}).length > 0
}

export function sending({ dispatcher }: OpenWebhooks): Dispatcher {
  if (dispatcher === null)
    throw new WebhooksUnavailable('webhooks are not delivered, because svc-audit is not registered')
  return dispatcher
}

/**
 * Recoveries know no tenants, so the endpoint is looked for in the registry. Where none can have begun, none is known.
 *
 * @throws RecoveryNotFound (404)
 */
export async function recoveriesOf(open: OpenWebhooks | null, endpointId: string): Promise<Recoveries> {
  if (open === null || open.recoveries === null) throw new RecoveryNotFound()
  if ((await open.store.find(endpointId)) === null) throw new RecoveryNotFound()
  return open.recoveries
}

export function recovering({ recoveries, lasting }: OpenWebhooks): { recoveries: Recoveries; history: LastingHistory } {
  if (recoveries !== null && lasting !== null) return { recoveries, history: lasting }
  throw new WebhooksUnavailable('recovery needs the option history, or a queue in a database')
}
