/** Offers the eight bricks of the document driver. A store, and with it its collection, is made when it is chosen. */
import type { FastifyInstance } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { Brick, StoreOf } from 'svc-stores'
import type { DocumentConnection } from '../connection/document-connection.ts'
import { DocumentAuditStore } from './audit-store.ts'
import { DocumentIdempotencyStore } from './idempotency-store.ts'
import { DocumentPasskeysStore } from './passkeys-store.ts'
import { DocumentSessionStore } from './session-store.ts'
import { DocumentTokensStore } from './tokens-store.ts'
import { DocumentTotpStore } from './totp-store.ts'
import { DocumentUserStore } from './user-store.ts'
import { DocumentWebhooksStore } from './webhooks-store.ts'

/** As `store: 'docdb'` and `auto` name it. */
export const DRIVER = 'docdb'

export const documentStores: {
  readonly [Name in Brick]: (connection: DocumentConnection, clock: Clock) => StoreOf[Name]
} = {
  session: (connection, clock) => new DocumentSessionStore(connection, clock),
  user: (connection, clock) => new DocumentUserStore(connection, clock),
  tokens: (connection, clock) => new DocumentTokensStore(connection, clock),
  passkeys: (connection, clock) => new DocumentPasskeysStore(connection, clock),
  totp: (connection, clock) => new DocumentTotpStore(connection, clock),
  webhooks: (connection, clock) => new DocumentWebhooksStore(connection, clock),
  audit: (connection, clock) => new DocumentAuditStore(connection, clock),
  idempotency: (connection, clock) => new DocumentIdempotencyStore(connection, clock)
}

/** Called while the plugin registers, before any consumer selects. */
export function provideStores({ stores }: FastifyInstance, connection: DocumentConnection): void {
  for (const brick of Object.keys(documentStores) as Brick[]) provide(stores, brick, connection)
}

function provide<Name extends Brick>(
  stores: FastifyInstance['stores'],
  brick: Name,
  connection: DocumentConnection
): void {
  stores.provide(brick, DRIVER, ({ clock }) => documentStores[brick](connection, clock))
}
