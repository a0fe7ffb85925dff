/**
 * What a caller may write into a record: the fields of a new one, the fields of
 * a change, which of them are keys (indexed, bounded) and which hold free JSON.
 * Anything else that is handed in is dropped, on every driver.
 */
import type { IdempotencyRecord } from '../contracts/idempotency-store.ts'
import type { NewPasskey } from '../contracts/passkeys-store.ts'
import type { NewSession, SessionPatch } from '../contracts/session-store.ts'
import type { NewToken } from '../contracts/tokens-store.ts'
import type { TotpRecord } from '../contracts/totp-store.ts'
import type { NewUser, UserPatch } from '../contracts/user-store.ts'
import type { NewWebhook, WebhookPatch } from '../contracts/webhooks-store.ts'

export interface RecordShape<Given extends object, Patch extends object = never> {
  readonly fields: readonly (keyof Given & string)[]
  /** Of `fields`, those that may be left out. */
  readonly optional?: readonly (keyof Given & string)[]
  readonly patch?: readonly (keyof Patch & string)[]
  readonly keys: readonly (keyof Given & string)[]
  readonly json: readonly (keyof Given & string)[]
}

/** A shape of any record. */
export interface AnyShape {
  readonly fields: readonly string[]
  readonly optional?: readonly string[]
  readonly patch?: readonly string[]
  readonly keys: readonly string[]
  readonly json: readonly string[]
}

export interface RecordShapes {
  readonly session: RecordShape<NewSession, SessionPatch>
  readonly user: RecordShape<NewUser, UserPatch>
  readonly tokens: RecordShape<NewToken>
  readonly passkeys: RecordShape<NewPasskey>
  readonly totp: RecordShape<TotpRecord>
  readonly webhooks: RecordShape<NewWebhook, WebhookPatch>
  readonly idempotency: RecordShape<IdempotencyRecord>
}

export const recordShapes: RecordShapes = {
  session: {
    fields: ['id', 'user', 'content', 'flash', 'meta'],
    patch: ['user', 'content', 'flash', 'meta'],
    keys: ['id', 'user'],
    json: ['content', 'flash', 'meta']
  },
  user: {
    fields: ['identifier', 'password', 'roles', 'enabled', 'locked', 'metadata'],
    optional: ['password', 'roles', 'enabled', 'locked', 'metadata'],
    patch: ['identifier', 'password', 'roles', 'enabled', 'locked', 'metadata'],
    keys: ['identifier', 'roles'],
    json: ['metadata']
  },
  tokens: {
    fields: ['id', 'kind', 'name', 'subject', 'tenantId', 'scopes', 'secretHash', 'family', 'expiresAt'],
    keys: ['id', 'subject', 'tenantId', 'secretHash', 'family'],
    json: []
  },
  passkeys: {
    fields: ['id', 'userId', 'publicKey', 'counter', 'transports', 'backupEligible', 'backupState', 'nickname'],
    keys: ['id', 'userId'],
    json: []
  },
  totp: {
    fields: ['id', 'secretEnc', 'lastStep', 'recoveryHashes', 'createdAt', 'confirmedAt'],
    keys: ['id', 'recoveryHashes'],
    json: []
  },
  webhooks: {
    fields: ['id', 'url', 'secretEnc', 'events', 'enabled', 'description', 'tenantId', 'createdBy', 'metadata'],
    patch: ['url', 'secretEnc', 'events', 'enabled', 'description', 'metadata', 'failureCount'],
    keys: ['id', 'url', 'events', 'tenantId'],
    json: ['metadata']
  },
  idempotency: {
    fields: ['id', 'fingerprint', 'owner', 'answer', 'createdAt', 'expiresAt'],
    keys: ['id', 'fingerprint', 'owner'],
    json: ['answer']
  }
}
