/**
 * Which credentials of machines an application takes: those that a zone lists, and those
 * whose section is given. One that uses neither needs no keys, no store, and has none of their routes. Pure.
 */
import type { AreasConfig, SvcSecurityOptions } from '../options.ts'

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
  return { signed: jwt !== undefined || listed.has('jwt'), keyed: apiKeys !== undefined || listed.has('apikey') }
}
