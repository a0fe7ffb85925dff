/** Functions and objects with behaviour that an application hands to svc-security, under the key `parts`. */
import type { Clock } from 'svc-kernel'
import type { ReadyStores } from 'svc-stores'
import type { Authenticator } from './authentication/authenticators/authenticator.ts'
import type { AccessVoter } from './authorization/voter.ts'
import type { AttemptCounter } from './throttling/attempt-counter.ts'
import type { UserProvider } from './users/user-source.ts'

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcSecurityParts {
  /** Asked after the registered voters, in this order. */
  readonly voters?: readonly AccessVoter[]
  /** Authenticators by name, beside the registered ones; a name may not be taken twice. */
  readonly authenticators?: Readonly<Record<string, Authenticator>>
  readonly clock?: Clock
  /** Users of the application's own; they win over the section `users`. */
  readonly users?: UserProvider
  /** Ready store objects by brick; they win over every selection. */
  readonly stores?: ReadyStores
  /** Counts login attempts for several instances: any limiter of rate-limiter-flexible. Default: in memory. */
  readonly attempts?: AttemptCounter
}
