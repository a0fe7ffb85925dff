/**
 * What this package keeps, as definitions that any engine opens. Beside the main entry, which loads them with the accounts
 * and not without.
 */
export {
  type ProviderSessionRecord,
  type ProviderSessionsStore,
  providerSessionsStore
} from './factors/oauth/provider-sessions-store.ts'
export {
  type NewPasskey,
  type PasskeyFilter,
  type PasskeyRecord,
  type PasskeySortField,
  type PasskeysStore,
  passkeysStore
} from './factors/passkeys/passkeys-store.ts'
export { type TotpRecord, type TotpStore, totpStore } from './factors/totp/totp-store.ts'
export {
  type IdempotencyOpening,
  type IdempotencyRecord,
  type IdempotencyStore,
  type IdempotentAnswer,
  idempotencyStore
} from './idempotency/idempotency-store.ts'
export {
  type NewSession,
  type SessionBounds,
  type SessionFilter,
  type SessionPatch,
  type SessionRecord,
  type SessionSortField,
  type SessionStore,
  sessionStore
} from './sessions/session-store.ts'
export type { AttemptCounter } from './throttling/attempt-counter.ts'
export { type AttemptRecord, type AttemptsStore, attemptsStore } from './throttling/attempts-store.ts'
export type { OwnedToken } from './token-store/owned-tokens.ts'
export type { NewToken, TokenKind, TokenRecord } from './token-store/token-record.ts'
export { type TokenFilter, type TokenSortField, type TokensStore, tokensStore } from './token-store/tokens-store.ts'
export {
  type NewUser,
  type SocialAccount,
  type UserFilter,
  type UserPatch,
  type UserRecord,
  type UserSortField,
  type UserStore,
  userStore
} from './users/user-store.ts'
