/**
 * The scope voter: an `api:action` attribute against the token's own scopes.
 * A human's token carries no scopes and is never narrowed by them; any type
 * outside the human list is, so a new machine type is scoped from its first day.
 */
import type { AccessToken } from 'svc-kernel'
import { Vote } from './vote.ts'
import type { AccessVoter } from './voter.ts'

/** Token types a scope never narrows. Add one only for a person's own login. */
export const NON_SCOPABLE_TOKEN_TYPES: ReadonlySet<string> = new Set(['session', 'userpassword', 'anonymous'])

export class ScopeVoter implements AccessVoter {
  readonly name = 'scope'

  supports(attribute: string): boolean {
    return attribute.includes(':') && !attribute.startsWith('ROLE_')
  }

  vote(token: AccessToken, attribute: string): Vote {
    // Own property only: a type inherited from a polluted prototype makes no machine human.
    if (Object.hasOwn(token, 'type') && NON_SCOPABLE_TOKEN_TYPES.has(token.type)) return Vote.GRANT
    return Array.isArray(token.scopes) && token.scopes.includes(attribute) ? Vote.GRANT : Vote.ABSTAIN
  }
}
