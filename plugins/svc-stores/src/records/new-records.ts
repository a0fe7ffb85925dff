/** What a store adds to a new record: times, counters at their start, nothing delivered, used or revoked yet. Pure. */
import type { NewPasskey, PasskeyRecord } from '../contracts/passkeys-store.ts'
import type { NewSession, SessionRecord } from '../contracts/session-store.ts'
import type { NewToken, TokenRecord } from '../contracts/tokens-store.ts'
import type { NewUser, UserRecord } from '../contracts/user-store.ts'
import type { NewWebhook, WebhookRecord } from '../contracts/webhooks-store.ts'

export const newRecords = {
  session: (given: NewSession, now: number): SessionRecord => ({ ...given, createdAt: now, updatedAt: now }),

  user: (given: NewUser, id: string, now: number): UserRecord => ({
    id,
    identifier: given.identifier,
    password: given.password ?? null,
    roles: given.roles ?? [],
    enabled: given.enabled ?? true,
    locked: given.locked ?? false,
    socialAccounts: [],
    metadata: given.metadata ?? {},
    createdAt: now,
    updatedAt: now
  }),

  token: (given: NewToken, now: number): TokenRecord => ({
    ...given,
    replacedBy: null,
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
    revokedReason: null
  }),

  passkey: (given: NewPasskey, now: number): PasskeyRecord => ({ ...given, createdAt: now, lastUsedAt: null }),

  webhook: (given: NewWebhook, now: number): WebhookRecord => ({
    ...given,
    createdAt: now,
    updatedAt: now,
    lastDeliveryAt: null,
    lastDeliveryStatus: null,
    lastDeliveryError: null,
    failureCount: 0
  })
}
