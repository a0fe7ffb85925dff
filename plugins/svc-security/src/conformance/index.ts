/**
 * The published suites of the stores of svc-security: `svc-security/conformance`. A store object of an application runs
 * the suite of its brick; whatever passes may take the place of ours.
 */
import { passkeySort } from '../factors/passkeys/passkeys-store.ts'
import { sessionSort } from '../sessions/session-store.ts'
import { tokenSort } from '../token-store/tokens-store.ts'
import { userSort } from '../users/user-store.ts'

export { attemptsStoreConformance } from './attempts-conformance.ts'
export { idempotencyStoreConformance } from './idempotency-conformance.ts'
export { passkeysStoreConformance } from './passkeys-conformance.ts'
export { providerSessionsStoreConformance } from './provider-sessions-conformance.ts'
export { sessionStoreConformance } from './session-conformance.ts'
export type { StoreSuite } from './store-suite.ts'
export { tokensStoreConformance } from './tokens-conformance.ts'
export { totpStoreConformance } from './totp-conformance.ts'
export { userStoreConformance } from './user-conformance.ts'

/** What each store can be sorted by, and its order when none is asked for. */
export const sortFields = { session: sessionSort, user: userSort, tokens: tokenSort, passkeys: passkeySort }
