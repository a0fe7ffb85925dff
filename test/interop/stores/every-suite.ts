/** The published suite of every store, to be run on an engine. */

import { accountStoreConformance, tokenStoreConformance } from 'svc-accounts/conformance'
import { auditStoreConformance } from 'svc-audit/conformance'
import { eventStoreConformance } from 'svc-events/conformance'
import { fileStoreConformance } from 'svc-files/conformance'
import { jobStoreConformance, scheduleStoreConformance } from 'svc-jobs/conformance'
import { limitsStoreConformance } from 'svc-limits/conformance'
import { instancesStoreConformance } from 'svc-ops/conformance'
import {
  archiveStoreConformance,
  domainStoreConformance,
  groupStoreConformance,
  membershipStoreConformance,
  organizationInvitationStoreConformance,
  organizationStoreConformance
} from 'svc-organizations/conformance'
import { type QueueSubject, queueConformance } from 'svc-queue/conformance'
import {
  attemptsStoreConformance,
  idempotencyStoreConformance,
  passkeysStoreConformance,
  providerSessionsStoreConformance,
  sessionStoreConformance,
  tokensStoreConformance,
  totpStoreConformance,
  userStoreConformance
} from 'svc-security/conformance'
import type { StoreParts } from 'svc-stores'
import type { ConformanceRunner } from 'svc-stores/conformance'
import { historyStoreConformance, webhooksStoreConformance } from 'svc-webhooks/conformance'
import { everyStore } from '../../support/every-store.ts'

const suites = {
  session: sessionStoreConformance,
  user: userStoreConformance,
  tokens: tokensStoreConformance,
  passkeys: passkeysStoreConformance,
  totp: totpStoreConformance,
  webhooks: webhooksStoreConformance,
  deliveries: (t: ConformanceRunner, subject: QueueSubject) => queueConformance(t, { ...subject, lanes: false }),
  history: historyStoreConformance,
  audit: auditStoreConformance,
  idempotency: idempotencyStoreConformance,
  providerSessions: providerSessionsStoreConformance,
  attempts: attemptsStoreConformance,
  limits: limitsStoreConformance,
  instances: instancesStoreConformance,
  jobs: jobStoreConformance,
  schedules: scheduleStoreConformance,
  events: eventStoreConformance,
  eventHistory: historyStoreConformance,
  accounts: accountStoreConformance,
  accountTokens: tokenStoreConformance,
  files: fileStoreConformance,
  organizations: organizationStoreConformance,
  memberships: membershipStoreConformance,
  organizationInvitations: organizationInvitationStoreConformance,
  organizationArchives: archiveStoreConformance,
  organizationDomains: domainStoreConformance,
  organizationGroups: groupStoreConformance
}

export type Brick = keyof typeof suites

export const BRICKS = Object.keys(everyStore) as Brick[]

type Subject = Parameters<(typeof suites)[Brick]>[1]

/** How an engine opens one store, empty, and closes it again. */
export interface Engine {
  makeStore(brick: Brick, parts: StoreParts): object | Promise<object>
  closeStore?(store: object): void | Promise<void>
  faults?(brick: Brick): object | null
}

/** Runs the suite of a store on an engine. */
export async function runSuite(runner: ConformanceRunner, brick: Brick, engine: Engine): Promise<void> {
  const suite = suites[brick] as (runner: ConformanceRunner, subject: Subject) => Promise<void>
  await suite(runner, {
    makeStore: (parts: StoreParts) => engine.makeStore(brick, parts),
    closeStore: (store: object) => engine.closeStore?.(store),
    faults: engine.faults?.(brick) ?? null
  } as unknown as Subject)
}
