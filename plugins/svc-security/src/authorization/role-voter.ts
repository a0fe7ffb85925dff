/** The role voter: a `ROLE_` attribute against the user's roles, hierarchy resolved. It never denies. */
import type { AccessToken } from 'svc-kernel'
import type { RoleHierarchy } from './role-hierarchy.ts'
import { Vote } from './vote.ts'
import type { AccessVoter } from './voter.ts'

const PREFIX = 'ROLE_'

export class RoleVoter implements AccessVoter {
  readonly name = 'role'
  readonly #hierarchy: RoleHierarchy

  constructor(hierarchy: RoleHierarchy) {
    this.#hierarchy = hierarchy
  }

  supports(attribute: string): boolean {
    return attribute.startsWith(PREFIX)
  }

  vote(token: AccessToken, attribute: string): Vote {
    if (attribute.length === PREFIX.length) return Vote.ABSTAIN
    return this.#hierarchy.grants(token.user.roles, attribute) ? Vote.GRANT : Vote.ABSTAIN
  }
}
