/**
 * Who may make a key, and with which scopes. A key never makes keys: one that leaked
 * could outlive its revocation. Another machine passes on no scope that it does not
 * hold; a person's login is not narrowed by scopes and may grant any. Pure.
 */
import { type AccessToken, ANONYMOUS, type User } from 'svc-kernel'
import { NON_SCOPABLE_TOKEN_TYPES } from '../authorization/built-in-voters.ts'
import { BeyondOwnRights, Unauthenticated } from '../errors.ts'

interface Caller {
  readonly user: User | null
  readonly token: AccessToken | null
}

/** @throws Unauthenticated (401) where nobody proved who calls */
export function callerOf({ user, token }: Caller): { user: User; token: AccessToken } {
  if (user === null || token === null || user === ANONYMOUS || token.type === 'anonymous') throw new Unauthenticated()
  return { user, token }
}

/** @throws BeyondOwnRights (403) */
export function checkMaker({ type, scopes: held = [] }: AccessToken, wanted: readonly string[]): void {
  if (type === 'apikey') throw new BeyondOwnRights('an API key manages no API keys')
  if (NON_SCOPABLE_TOKEN_TYPES.has(type) || wanted.every((scope) => held.includes(scope))) return
  throw new BeyondOwnRights('a token passes on no scope that it does not hold')
}
