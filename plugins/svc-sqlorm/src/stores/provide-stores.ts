/** Offers the eight bricks of the SQL driver. A store, and with it its tables, is made when it is chosen. */
import type { FastifyInstance } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { Brick, StoreOf } from 'svc-stores'
import type { SqlConnection } from '../connection/sql-connection.ts'
import { SqlAuditStore } from './audit-store.ts'
import { SqlIdempotencyStore } from './idempotency-store.ts'
import { SqlPasskeysStore } from './passkeys-store.ts'
import { SqlSessionStore } from './session-store.ts'
import { SqlTokensStore } from './tokens-store.ts'
import { SqlTotpStore } from './totp-store.ts'
import { SqlUserStore } from './user-store.ts'
import { SqlWebhooksStore } from './webhooks-store.ts'

/** As `store: 'sqlorm'` and `auto` name it. */
export const DRIVER = 'sqlorm'

export const sqlStores: {
  readonly [Name in Brick]: (connection: SqlConnection, clock: Clock) => StoreOf[Name]
} = {
  session: (connection, clock) => new SqlSessionStore(connection, clock),
  user: (connection, clock) => new SqlUserStore(connection, clock),
  tokens: (connection, clock) => new SqlTokensStore(connection, clock),
  passkeys: (connection, clock) => new SqlPasskeysStore(connection, clock),
  totp: (connection, clock) => new SqlTotpStore(connection, clock),
  webhooks: (connection, clock) => new SqlWebhooksStore(connection, clock),
  audit: (connection, clock) => new SqlAuditStore(connection, clock),
  idempotency: (connection, clock) => new SqlIdempotencyStore(connection, clock)
}

/** Called while the plugin registers, before any consumer selects. */
export function provideStores({ stores }: FastifyInstance, connection: SqlConnection): void {
  for (const brick of Object.keys(sqlStores) as Brick[]) provide(stores, brick, connection)
}

function provide<Name extends Brick>(stores: FastifyInstance['stores'], brick: Name, connection: SqlConnection): void {
  stores.provide(brick, DRIVER, ({ clock }) => sqlStores[brick](connection, clock))
}
