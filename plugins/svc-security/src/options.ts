/**
 * What an operator may set, one file per section under `options/`. Functions and
 * objects with behaviour are not options: see `SvcSecurityParts`.
 */
import type { Clock, OptionsSchema } from 'svc-kernel'
import type { Authenticator } from './authenticators/authenticator.ts'
import type { AccessVoter } from './jury/voter.ts'
import { type AreasConfig, type AreasOptions, areasSchema } from './options/areas.ts'
import { type CsrfConfig, type CsrfOptions, csrfSchema } from './options/csrf.ts'

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
  /** How long the authentication of one request may take, in milliseconds; then 503. Default 5000. */
  readonly authenticatorTimeoutMs?: number
}

/** Options after the reader: completed with defaults and frozen. This is the `config` factories receive. */
export interface SecurityConfig {
  readonly areas: AreasConfig
  readonly roleHierarchy: Readonly<Record<string, readonly string[]>>
  readonly jury: { readonly voterTimeoutMs: number }
  readonly csrf: CsrfConfig
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
    authenticatorTimeoutMs: { ...milliseconds, default: 5000 }
  }
}
