/** The two voters of every application: roles, hierarchy resolved, and scopes of machine tokens. Neither denies. */
import type { AccessToken } from 'svc-kernel'
import type { RoleHierarchy } from './role-hierarchy.ts'
import { type AccessVoter, Vote } from './voter.ts'

const ROLE_PREFIX = 'ROLE_'

/** Grants a `ROLE_` attribute where one of the user's roles is it or inherits it; else abstains. */
export class RoleVoter implements AccessVoter {
  readonly name = 'role'
  readonly #hierarchy: RoleHierarchy

  constructor(hierarchy: RoleHierarchy) {
    this.#hierarchy = hierarchy
  }

  supports(attribute: string): boolean {
    return attribute.startsWith(ROLE_PREFIX)
  }

  vote(token: AccessToken, attribute: string): Vote {
    if (attribute.length === ROLE_PREFIX.length) return Vote.ABSTAIN
    return this.#hierarchy.grants(token.user.roles, attribute) ? Vote.GRANT : Vote.ABSTAIN
  }
}

/** Token types that scopes never narrow. Add one only for a person's own login. */
export const NON_SCOPABLE_TOKEN_TYPES: ReadonlySet<string> = new Set(['session', 'userpassword', 'anonymous'])

/**
 * Grants an `api:action` attribute that is one of the token's own scopes. A person's token carries no scopes and is
 * never narrowed by them; any type outside that list is, so a new machine type is scoped from its first day.
 */
export class ScopeVoter implements AccessVoter {
  readonly name = 'scope'

  supports(attribute: string): boolean {
    return attribute.includes(':') && !attribute.startsWith(ROLE_PREFIX)
  }

  vote(token: AccessToken, attribute: string): Vote {
    // Own property only: a type inherited from a polluted prototype makes no machine a person.
    if (Object.hasOwn(token, 'type') && NON_SCOPABLE_TOKEN_TYPES.has(token.type)) return Vote.GRANT
    return Array.isArray(token.scopes) && token.scopes.includes(attribute) ? Vote.GRANT : Vote.ABSTAIN
  }
}
