/**
 * What an operator may set, one file per section under `options/`. Functions and
 * objects with behaviour are not options: see `SvcSecurityParts`.
 */
import type { Clock, OptionsSchema } from 'svc-kernel'
import type { Authenticator } from './authenticators/authenticator.ts'
import type { AccessVoter } from './jury/voter.ts'
import { type ApiKeysConfig, type ApiKeysOptions, apiKeysSchema } from './options/api-keys.ts'
import { type AreasConfig, type AreasOptions, areasSchema } from './options/areas.ts'
import { type CsrfConfig, type CsrfOptions, csrfSchema } from './options/csrf.ts'
import { type JwtConfig, type JwtOptions, jwtSchema } from './options/jwt.ts'
import { type TokenStoreConfig, type TokenStoreOptions, tokenStoreSchema } from './options/token-store.ts'

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
    jwt: jwtSchema,
    apiKeys: apiKeysSchema,
    tokenStore: tokenStoreSchema,
    authenticatorTimeoutMs: { ...milliseconds, default: 5000 }
  }
}
