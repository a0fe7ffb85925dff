/** The eight bricks, each with the interface of its store and the operations every driver must have. */
import type { AuditStore } from './audit-store.ts'
import type { IdempotencyStore } from './idempotency-store.ts'
import type { PasskeysStore } from './passkeys-store.ts'
import type { SessionStore } from './session-store.ts'
import type { TokensStore } from './tokens-store.ts'
import type { TotpStore } from './totp-store.ts'
import type { UserStore } from './user-store.ts'
import type { WebhooksStore } from './webhooks-store.ts'

export interface StoreOf {
  session: SessionStore
  user: UserStore
  tokens: TokensStore
  passkeys: PasskeysStore
  totp: TotpStore
  webhooks: WebhooksStore
  audit: AuditStore
  idempotency: IdempotencyStore
}

export type Brick = keyof StoreOf

type Operations = { readonly [Name in Brick]: Readonly<Record<keyof StoreOf[Name], true>> }

const operations: Operations = {
  session: {
    create: true,
    find: true,
    update: true,
    touch: true,
    destroy: true,
    destroyByUser: true,
    list: true,
    count: true,
    purge: true
  },
  user: {
    create: true,
    find: true,
    findByIdentifier: true,
    findBySocialAccount: true,
    update: true,
    replacePassword: true,
    linkSocialAccount: true,
    unlinkSocialAccount: true,
    delete: true,
    list: true,
    count: true,
    countAdministrators: true
  },
  tokens: {
    create: true,
    find: true,
    findByHash: true,
    rotate: true,
    revoke: true,
    revokeFamily: true,
    revokeBySubject: true,
    markUsed: true,
    list: true,
    count: true,
    deny: true,
    isDenied: true,
    invalidateBefore: true,
    invalidBefore: true,
    purge: true
  },
  passkeys: {
    save: true,
    find: true,
    advance: true,
    rename: true,
    remove: true,
    removeByUser: true,
    list: true,
    count: true
  },
  totp: {
    enroll: true,
    find: true,
    confirm: true,
    useStep: true,
    useRecoveryCode: true,
    replaceRecoveryCodes: true,
    remove: true
  },
  webhooks: {
    create: true,
    find: true,
    update: true,
    delete: true,
    enabled: true,
    recordSuccess: true,
    recordFailure: true,
    disable: true,
    list: true,
    count: true,
    stats: true
  },
  audit: { append: true, list: true, purge: true },
  idempotency: { begin: true, complete: true, abandon: true, purge: true }
}

export const BRICKS: readonly Brick[] = Object.freeze(Object.keys(operations) as Brick[])

/** The operations of a brick that an object lacks; empty when it is a whole store. */
export function missingOperations(brick: Brick, store: object): string[] {
  const candidate = store as Readonly<Record<string, unknown>>
  return Object.keys(operations[brick]).filter((name) => typeof candidate[name] !== 'function')
}
