/**
 * What this package keeps, as definitions that any engine opens. Beside the main entry, which loads them with the accounts
 * and not without.
 */
export { passkeysStore } from './factors/passkeys/passkeys-store.ts'
export { totpStore } from './factors/totp/totp-store.ts'
export { idempotencyStore } from './idempotency/idempotency-store.ts'
export { sessionStore } from './sessions/session-store.ts'
export { attemptsStore } from './throttling/attempts-store.ts'
export { tokensStore } from './token-store/tokens-store.ts'
export { userStore } from './users/user-store.ts'
