/** What an operator may set. Functions and objects with behaviour are not options: see `SvcSecurityParts`. */
import type { Clock, OptionsSchema } from 'svc-kernel'
import type { Authenticator } from './authenticators/authenticator.ts'
import type { AccessVoter } from './jury/voter.ts'

/** A zone: which routes it holds and how their callers prove who they are. */
export interface Area {
  /** Regular expression (flag `u`) matched against the full template of each route. */
  readonly pattern: string
  /** Names, tried in this order. */
  readonly authenticators: readonly string[]
  /** `first`: the first that claims the credential decides. `all`: every one must hold. Default `first`. */
  readonly mode?: 'first' | 'all'
  /** `false` keeps the identity away from WebSocket upgrades: guarded WebSocket routes then answer 403. Default `true`. */
  readonly realtime?: boolean
}

export interface SvcSecurityOptions {
  /** Zones by name; where several match a route, the one declared first holds it. */
  readonly areas?: Readonly<Record<string, Area>>
  /** Role to the roles it inherits. A cycle aborts boot. */
  readonly roleHierarchy?: Readonly<Record<string, readonly string[]>>
  readonly jury?: {
    /** How long one vote may take, in milliseconds. Default 1000. */
    readonly voterTimeoutMs?: number
  }
  readonly csrf?: {
    /** Origins, besides this host, from which a browser may open a WebSocket. */
    readonly trustedOrigins?: readonly string[]
  }
  /** How long the authentication of one request may take, in milliseconds; then 503. Default 5000. */
  readonly authenticatorTimeoutMs?: number
}

/** Options after the reader: completed with defaults and frozen. This is the `config` factories receive. */
export interface SecurityConfig {
  readonly areas: Readonly<Record<string, Required<Area>>>
  readonly roleHierarchy: Readonly<Record<string, readonly string[]>>
  readonly jury: { readonly voterTimeoutMs: number }
  readonly csrf: { readonly trustedOrigins: readonly string[] }
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
    areas: {
      type: 'object',
      default: {},
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['pattern', 'authenticators'],
        properties: {
          pattern: { type: 'string', format: 'regex' },
          authenticators: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', minLength: 1 } },
          mode: { enum: ['first', 'all'], default: 'first' },
          realtime: { type: 'boolean', default: true }
        }
      }
    },
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
    csrf: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: { trustedOrigins: { type: 'array', default: [], items: { type: 'string', format: 'origin' } } }
    },
    authenticatorTimeoutMs: { ...milliseconds, default: 5000 }
  }
}
