/**
 * Webhook endpoints for a pure data driver (`frameworkEntities: false`): the same
 * documents in the same collection, without the framework's model and indexes.
 */
import { type Clock, systemClock } from 'svc-kernel'
import type { WebhooksStore } from 'svc-stores'
import type { Docdb } from '../connector/docdb.ts'
import { DocumentWebhooksStore } from './webhooks-store.ts'

export interface BareWebhooksSetting {
  /** Default: the primary one. */
  readonly connector?: string
  readonly clock?: Clock
}

/**
 * For `parts.stores.webhooks`. Endpoints are kept and counted as ever; a paged listing is refused with
 * SVC_DOCDB_NO_NATIVE_MODEL (501), as nothing would spare the server from reading the whole collection.
 *
 * @throws UnknownConnection
 */
export function bareWebhooksStore(
  docdb: Docdb,
  { connector, clock = systemClock }: BareWebhooksSetting = {}
): WebhooksStore {
  return new DocumentWebhooksStore(docdb.connector(connector).document, clock, false)
}
