/**
 * Which features an application uses: those that a zone lists, and those whose section is given. One without accounts
 * gets no login routes and needs no stores; one without tokens needs no keys. Where there are no accounts, reading one
 * of their decorators throws, and the error names the options that switch it on.
 */
import type { FastifyInstance } from 'fastify'
import { decorateOff } from 'svc-kernel/plugin'
import { API_KEY_NAME, JWT_NAME } from '../authentication/authenticators/bearer-authenticators.ts'
import { needsAccounts } from '../authentication/build-authenticators.ts'
import { AccountsOff } from '../errors.ts'
import type { AreasConfig, SvcSecurityOptions } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'

/** Sections that mean nothing without accounts. */
const SECTIONS = ['session', 'users', 'passwords', 'rateLimit', 'jwt', 'apiKeys', 'totp', 'passkeys', 'oauth2'] as const

/** Whether it keeps accounts at all: one whose zones only admit the anonymous visitor does not. @param given the options before their defaults */
export function accountsInUse(
  given: SvcSecurityOptions,
  { users, stores, authenticators: supplied = {} }: SvcSecurityParts
): boolean {
  if (users !== undefined || stores?.user !== undefined || stores?.session !== undefined) return true
  if (SECTIONS.some((section) => (given as Record<string, unknown>)[section] !== undefined)) return true
  return Object.values(given.areas ?? {}).some(({ authenticators }) =>
    authenticators.some((name) => needsAccounts(name, supplied))
  )
}

export interface TokensInUse {
  /** Signed access tokens, and the refresh tokens beside them. */
  readonly signed: boolean
  /** API keys. */
  readonly keyed: boolean
}

/** @param given the options before their defaults */
export function tokensInUse(
  areas: AreasConfig,
  { jwt, apiKeys }: Pick<SvcSecurityOptions, 'jwt' | 'apiKeys'>
): TokensInUse {
  const listed = new Set(Object.values(areas).flatMap(({ authenticators }) => authenticators))
  return { signed: jwt !== undefined || listed.has(JWT_NAME), keyed: apiKeys !== undefined || listed.has(API_KEY_NAME) }
}

const LOGINS = 'list session in an area, or set the option session or parts.users'
const CREDENTIALS = 'list jwt or apikey in an area, or set the option jwt or apiKeys'

/** What switches each decorator on. */
const FIXES = {
  sessions: LOGINS,
  tokens: CREDENTIALS,
  gates: LOGINS,
  userAccounts: LOGINS,
  userEndings: LOGINS
} as const

export function decorateAccountsOff(fastify: FastifyInstance): void {
  for (const [name, fix] of Object.entries(FIXES)) {
    decorateOff(fastify, name as keyof typeof FIXES, () => new AccountsOff(name, fix))
  }
}
