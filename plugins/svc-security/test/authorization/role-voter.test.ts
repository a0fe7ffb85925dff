/** The role voter: grants what the hierarchy reaches, and abstains otherwise. */
import t from 'tap'
import { RoleHierarchy } from '../../src/authorization/role-hierarchy.ts'
import { RoleVoter } from '../../src/authorization/role-voter.ts'
import { aToken } from '../support/tokens.ts'

const voter = new RoleVoter(new RoleHierarchy({ ROLE_ADMIN: ['ROLE_USER'] }))

const rows: Array<[roles: string[], attribute: string, supports: boolean, vote?: string]> = [
  [['ROLE_ADMIN'], 'ROLE_ADMIN', true, 'GRANT'],
  [['ROLE_ADMIN'], 'ROLE_USER', true, 'GRANT'],
  [['ROLE_USER'], 'ROLE_ADMIN', true, 'ABSTAIN'],
  [[], 'ROLE_USER', true, 'ABSTAIN'],
  [['ROLE_'], 'ROLE_', true, 'ABSTAIN'],
  [['role_admin'], 'ROLE_ADMIN', true, 'ABSTAIN'],
  [['ROLE_A:b'], 'ROLE_A:b', true, 'GRANT'],
  [['ROLE_ADMIN'], 'role_admin', false],
  [['ROLE_ADMIN'], 'orders:read', false],
  [['ROLE_ADMIN'], 'ROL_ADMIN', false],
  [['ROLE_ADMIN'], '', false]
]

for (const [roles, attribute, supports, vote] of rows) {
  t.test(`[${roles}] on "${attribute}": ${vote ?? 'not its attribute'}`, (t) => {
    t.equal(voter.supports(attribute), supports)
    if (vote !== undefined) t.equal(voter.vote(aToken({ roles }), attribute), vote)
    t.end()
  })
}
