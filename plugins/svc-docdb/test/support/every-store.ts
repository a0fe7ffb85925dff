/** The stores of all features over one document database. */
import { auditStore } from 'svc-audit'
import { jobStore, scheduleStore } from 'svc-jobs/stores'
import type { Clock } from 'svc-kernel'
import { limitsStore } from 'svc-limits/stores'
import { instancesStore } from 'svc-ops'
import {
  attemptsStore,
  idempotencyStore,
  passkeysStore,
  providerSessionsStore,
  sessionStore,
  tokensStore,
  totpStore,
  userStore
} from 'svc-security/stores'
import { deliveriesStore, historyStore, webhooksStore } from 'svc-webhooks/stores'
import type { DocumentConnection } from '../../src/connection/document-connection.ts'
import { DocumentDatabase } from '../../src/document-database.ts'

const databases = new WeakMap<DocumentConnection, DocumentDatabase>()

const definitions = {
  session: sessionStore,
  user: userStore,
  tokens: tokensStore,
  passkeys: passkeysStore,
  totp: totpStore,
  webhooks: webhooksStore,
  deliveries: deliveriesStore,
  history: historyStore,
  audit: auditStore,
  idempotency: idempotencyStore,
  providerSessions: providerSessionsStore,
  attempts: attemptsStore,
  limits: limitsStore,
  instances: instancesStore,
  jobs: jobStore,
  schedules: scheduleStore
}

export type Brick = keyof typeof definitions

export type StoreOf = { readonly [Name in Brick]: ReturnType<(typeof definitions)[Name]['open']> }

export const BRICKS = Object.keys(definitions) as readonly Brick[]

type Openers = { readonly [Name in Brick]: (connection: DocumentConnection, clock: Clock) => StoreOf[Name] }

/** Opens a store; those of one connection share its database. */
export const documentStores = Object.fromEntries(
  Object.entries(definitions).map(([brick, definition]) => [
    brick,
    (connection: DocumentConnection, clock: Clock) => definition.open(databaseOf(connection), { clock })
  ])
) as Openers

function databaseOf(connection: DocumentConnection): DocumentDatabase {
  const database = databases.get(connection) ?? new DocumentDatabase(connection)
  databases.set(connection, database)
  return database
}
