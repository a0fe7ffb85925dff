/**
 * Puts the authenticator of tests into the options of svc-security: first in every zone
 * that asks one proof, and in the zone of the admin APIs. A zone that asks all its proofs stays as it is. Pure.
 */
import { ACTING, type ActingAuthenticator } from './acting-as.ts'

interface Area {
  readonly pattern: string
  readonly authenticators: readonly string[]
  readonly mode?: string
}

/** The options of svc-security, as far as they matter here. */
export interface SecurityOptions {
  readonly areas?: Readonly<Record<string, Area>>
  readonly jwt?: object
  readonly apiKeys?: object
  readonly parts?: {
    readonly users?: unknown
    readonly stores?: { readonly user?: unknown; readonly session?: unknown }
    readonly authenticators?: Readonly<Record<string, unknown>>
  }
  readonly [option: string]: unknown
}

/** As svc-security declares it where an application keeps accounts and names no zone of its own for them. */
const ADMIN_ZONE = 'svc'
const ADMIN_PATTERN = '^/svc/(?:[^/]+/api|ops/metrics|console)(?:/|$)'

const OF_ACCOUNTS = ['session', 'userpassword', 'jwt', 'apikey']
const SECTIONS = ['session', 'users', 'passwords', 'rateLimit', 'jwt', 'apiKeys', 'totp', 'passkeys', 'oauth2']

export function admitActing(options: SecurityOptions, acting: ActingAuthenticator): SecurityOptions {
  const { areas = {}, parts = {} } = options
  const admitted = Object.fromEntries(Object.entries(areas).map(([name, area]) => [name, withActing(area)]))
  const admin = areas[ADMIN_ZONE] === undefined && keepsAccounts(options) ? { [ADMIN_ZONE]: adminZone(options) } : {}
  return {
    ...options,
    areas: { ...admitted, ...admin },
    parts: { ...parts, authenticators: { ...parts.authenticators, [ACTING]: acting } }
  }
}

function withActing(area: Area): Area {
  return area.mode === 'all' ? area : { ...area, authenticators: [ACTING, ...area.authenticators] }
}

function adminZone(options: SecurityOptions): Area {
  const machines = [
    (options.jwt !== undefined || lists(options, 'jwt')) && 'jwt',
    (options.apiKeys !== undefined || lists(options, 'apikey')) && 'apikey'
  ].filter((name) => name !== false)
  return { pattern: ADMIN_PATTERN, authenticators: [ACTING, 'session', ...machines] }
}

function keepsAccounts(options: SecurityOptions): boolean {
  const { users, stores } = options.parts ?? {}
  if (users !== undefined || stores?.user !== undefined || stores?.session !== undefined) return true
  return SECTIONS.some((section) => options[section] !== undefined) || OF_ACCOUNTS.some((name) => lists(options, name))
}

function lists({ areas = {} }: SecurityOptions, name: string): boolean {
  return Object.values(areas).some(({ authenticators }) => authenticators.includes(name))
}
