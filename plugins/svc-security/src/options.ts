/**
 * What an operator may set, one file per section under `options/`. Functions and
 * objects with behaviour are not options: see `SvcSecurityParts`.
 */
import type { Clock, OptionsSchema } from 'svc-kernel'
import type { ReadyStores } from 'svc-stores'
import type { Authenticator } from './authentication/authenticators/authenticator.ts'
import type { AccessVoter } from './authorization/voter.ts'
import { type ApiKeysConfig, type ApiKeysOptions, apiKeysSchema } from './options/api-keys.ts'
import { type AreasConfig, type AreasOptions, areasSchema } from './options/areas.ts'
import { type CsrfConfig, type CsrfOptions, csrfSchema } from './options/csrf.ts'
import { type IdempotencyConfig, type IdempotencyOptions, idempotencySchema } from './options/idempotency.ts'
import { type JwtConfig, type JwtOptions, jwtSchema } from './options/jwt.ts'
import { type OAuth2Config, type OAuth2Options, oauth2Schema } from './options/oauth2.ts'
import { type PasskeysConfig, type PasskeysOptions, passkeysSchema } from './options/passkeys.ts'
import { type PasswordsConfig, type PasswordsOptions, passwordsSchema } from './options/passwords.ts'
import { type RateLimitConfig, type RateLimitOptions, rateLimitSchema } from './options/rate-limit.ts'
import { type RealtimeConfig, type RealtimeOptions, realtimeSchema } from './options/realtime.ts'
import { type SessionConfig, type SessionOptions, sessionSchema } from './options/session.ts'
import { type TokenStoreConfig, type TokenStoreOptions, tokenStoreSchema } from './options/token-store.ts'
import { type TotpConfig, type TotpOptions, totpSchema } from './options/totp.ts'
import { type UsersConfig, type UsersOptions, usersSchema } from './options/users.ts'
import type { AttemptCounter } from './throttling/attempt-counter.ts'
import type { UserProvider } from './users/user-source.ts'

export type { Area } from './options/areas.ts'

export interface SvcSecurityOptions {
  /** Zones by name; where several match a route, the one declared first holds it. */
  readonly areas?: AreasOptions
  /** Role to the roles it inherits. A cycle aborts boot. */
  readonly roleHierarchy?: Readonly<Record<string, readonly string[]>>
  readonly jury?: {
    /** How long one vote may take, in milliseconds. Default 1000. */
    readonly voterTimeoutMs?: number
  }
  readonly csrf?: CsrfOptions
  /** Logins of browsers. Giving it, or a zone that lists `session`, switches them on. */
  readonly session?: SessionOptions
  /** Where subjects are loaded from. Giving it, or `parts.users`, switches logins on. */
  readonly users?: UsersOptions
  readonly passwords?: PasswordsOptions
  /** How guessing at passwords and codes is slowed down. */
  readonly rateLimit?: RateLimitOptions
  /** One-time codes as a second factor. Giving it switches them on. */
  readonly totp?: TotpOptions
  /** Giving it switches passkeys on. */
  readonly passkeys?: PasskeysOptions
  /** Logins at OpenID Connect providers. Giving it switches them on. */
  readonly oauth2?: OAuth2Options
  readonly idempotency?: IdempotencyOptions
  readonly realtime?: RealtimeOptions
  /** Signed access tokens. Giving it, or a zone that lists `jwt`, switches them on. */
  readonly jwt?: JwtOptions
  /** Credentials of machines. Giving it, or a zone that lists `apikey`, switches them on. */
  readonly apiKeys?: ApiKeysOptions
  /** Where refresh tokens, API keys and revocations are kept. */
  readonly tokenStore?: TokenStoreOptions
  /** How long the authentication of one request may take, in milliseconds; then 503. Default 5000. */
  readonly authenticatorTimeoutMs?: number
}

/** Options after the reader: completed with defaults and frozen. This is the `config` factories receive. */
export interface SecurityConfig {
  readonly areas: AreasConfig
  readonly roleHierarchy: Readonly<Record<string, readonly string[]>>
  readonly jury: { readonly voterTimeoutMs: number }
  readonly csrf: CsrfConfig
  readonly session: SessionConfig
  readonly users: UsersConfig
  readonly passwords: PasswordsConfig
  readonly rateLimit: RateLimitConfig
  /** `undefined` where they are off. */
  readonly totp: TotpConfig | undefined
  readonly passkeys: PasskeysConfig | undefined
  readonly oauth2: OAuth2Config | undefined
  readonly idempotency: IdempotencyConfig
  readonly realtime: RealtimeConfig
  readonly jwt: JwtConfig
  readonly apiKeys: ApiKeysConfig
  readonly tokenStore: TokenStoreConfig
  readonly authenticatorTimeoutMs: number
}

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

const milliseconds = { type: 'integer', minimum: 1, maximum: 600000 } as const
const role = { type: 'string', format: 'role' } as const

export const optionsSchema: OptionsSchema = {
  $id: 'svc-security/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    areas: areasSchema,
    roleHierarchy: {
      type: 'object',
      default: {},
      propertyNames: role,
      additionalProperties: { type: 'array', items: role }
    },
    jury: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: { voterTimeoutMs: { ...milliseconds, default: 1000 } }
    },
    csrf: csrfSchema,
    totp: totpSchema,
    passkeys: passkeysSchema,
    oauth2: oauth2Schema,
    session: sessionSchema,
    users: usersSchema,
    passwords: passwordsSchema,
    rateLimit: rateLimitSchema,
    idempotency: idempotencySchema,
    realtime: realtimeSchema,
    jwt: jwtSchema,
    apiKeys: apiKeysSchema,
    tokenStore: tokenStoreSchema,
    authenticatorTimeoutMs: { ...milliseconds, default: 5000 }
  }
}
