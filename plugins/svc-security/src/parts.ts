/** Functions and objects with behaviour that an application hands to svc-security, under the key `parts`. */
import type { Clock } from 'svc-kernel'
import type { Authenticator } from './authentication/authenticators/authenticator.ts'
import type { AccessVoter } from './authorization/voter.ts'
import type { ProviderAccountRule } from './factors/oauth/account-rule.ts'
import type { ProviderSessionsStore } from './factors/oauth/provider-sessions-store.ts'
import type { PasskeysStore } from './factors/passkeys/passkeys-store.ts'
import type { TotpStore } from './factors/totp/totp-store.ts'
import type { IdempotencyStore } from './idempotency/idempotency-store.ts'
import type { SessionStore } from './sessions/session-store.ts'
import type { AttemptCounter } from './throttling/attempt-counter.ts'
import type { AttemptsStore } from './throttling/attempts-store.ts'
import type { TokensStore } from './token-store/tokens-store.ts'
import type { BreachedRange } from './users/breached-passwords.ts'
import type { PasswordCheck } from './users/password-policy.ts'
import type { UserProvider } from './users/user-source.ts'
import type { UserStore } from './users/user-store.ts'

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcSecurityParts {
  /** Asked after the registered voters, in this order. */
  readonly voters?: readonly AccessVoter[]
  /** Authenticators by name, beside the registered ones; a name may not be taken twice. */
  readonly authenticators?: Readonly<Record<string, Authenticator>>
  /** Names of authenticators that are tried first in every zone of mode `first`, the built-in one too. For tests. */
  readonly inEveryZone?: readonly string[]
  readonly clock?: Clock
  /** Users of the application's own; they win over the section `users`. */
  readonly users?: UserProvider
  /** Decides which people of providers get an account, where `accounts.create` is set; see `ProviderAccountRule`. */
  readonly providerAccounts?: ProviderAccountRule
  /** Which passwords may be set, besides the rules of the section `passwords`. */
  readonly passwords?: {
    readonly check?: PasswordCheck
    /** Asked for a range of breached passwords, besides `passwords.breached`. */
    readonly breachedRange?: BreachedRange
  }
  /** Ready store objects by brick; they win over every selection. */
  readonly stores?: ReadySecurityStores
  /** Counts login attempts for several instances: any limiter of rate-limiter-flexible. Default: the store of `rateLimit`. */
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
  readonly attempts?: AttemptsStore
  readonly providerSessions?: ProviderSessionsStore
}
