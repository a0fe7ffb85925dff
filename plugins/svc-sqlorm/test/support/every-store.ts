/** The stores of all features, by brick. */
import { auditStore } from 'svc-audit'
import { jobStore, scheduleStore } from 'svc-jobs/stores'
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

export const everyStore = {
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

export type Brick = keyof typeof everyStore

export type StoreOf = { [Name in Brick]: ReturnType<(typeof everyStore)[Name]['open']> }

export const BRICKS = Object.keys(everyStore) as Brick[]
