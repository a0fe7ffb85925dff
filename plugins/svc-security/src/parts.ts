/** Functions and objects with behaviour that an application hands to svc-security, under the key `parts`. */
import type { Clock } from 'svc-kernel'
import type { Authenticator } from './authentication/authenticators/authenticator.ts'
import type { AccessVoter } from './authorization/voter.ts'
import type { PasskeysStore } from './factors/passkeys/passkeys-store.ts'
import type { TotpStore } from './factors/totp/totp-store.ts'
import type { IdempotencyStore } from './idempotency/idempotency-store.ts'
import type { SessionStore } from './sessions/session-store.ts'
import type { AttemptCounter } from './throttling/attempt-counter.ts'
import type { TokensStore } from './token-store/tokens-store.ts'
import type { PasswordCheck } from './users/password-policy.ts'
import type { UserProvider } from './users/user-source.ts'
import type { UserStore } from './users/user-store.ts'

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcSecurityParts {
  /** Asked after the registered voters, in this order. */
  readonly voters?: readonly AccessVoter[]
  /** Authenticators by name, beside the registered ones; a name may not be taken twice. */
  readonly authenticators?: Readonly<Record<string, Authenticator>>
  readonly clock?: Clock
  /** Users of the application's own; they win over the section `users`. */
  readonly users?: UserProvider
  /** Which passwords may be set, besides `passwords.minLength`. */
  readonly passwords?: { readonly check: PasswordCheck }
  /** Ready store objects by brick; they win over every selection. */
  readonly stores?: ReadySecurityStores
  /** Counts login attempts for several instances: any limiter of rate-limiter-flexible. Default: in memory. */
  readonly attempts?: AttemptCounter
}

/** Ready store objects; they win over every selection. */
export interface ReadySecurityStores {
  readonly session?: SessionStore
  readonly user?: UserStore
  readonly tokens?: TokensStore
  readonly passkeys?: PasskeysStore
  readonly totp?: TotpStore
  readonly idempotency?: IdempotencyStore
}
