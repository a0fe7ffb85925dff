/** The role voter grants what the hierarchy reaches; the scope voter narrows every token but a person's. */
import { type AccessToken, NON_SCOPABLE_TOKEN_TYPES } from 'svc-kernel'
import t from 'tap'
import { RoleHierarchy } from '../../src/authorization/role-hierarchy.ts'
import { RoleVoter, ScopeVoter } from '../../src/authorization/voters.ts'
import { aToken } from '../support/tokens.ts'

const roleVoter = new RoleVoter(new RoleHierarchy({ ROLE_ADMIN: ['ROLE_USER'] }))

const roleRows: Array<[roles: string[], attribute: string, supports: boolean, vote?: string]> = [
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

for (const [roles, attribute, supports, vote] of roleRows) {
  t.test(`[${roles}] on "${attribute}": ${vote ?? 'not its attribute'}`, (t) => {
    t.equal(roleVoter.supports(attribute), supports)
    if (vote !== undefined) t.equal(roleVoter.vote(aToken({ roles }), attribute), vote)
    t.end()
  })
}

const scopeVoter = new ScopeVoter()

const scopeRows: Array<[type: string, scopes: string[], attribute: string, vote: string]> = [
  ...['session', 'userpassword', 'anonymous'].map((type): [string, string[], string, string] => [
    type,
    [],
    'orders:read',
    'GRANT'
  ]),
  ...['apikey', 'jwt', 'oauth2', 'mtls', 'agent', 'foo', 'Session', 'sessions'].flatMap(
    (type): Array<[string, string[], string, string]> => [
      [type, ['orders:read'], 'orders:read', 'GRANT'],
      [type, [], 'orders:read', 'ABSTAIN']
    ]
  ),
  ['jwt', ['orders:*'], 'orders:read', 'ABSTAIN'],
  ['jwt', ['orders'], 'orders:read', 'ABSTAIN'],
  ['jwt', ['orders:read '], 'orders:read', 'ABSTAIN'],
  ['jwt', ['ORDERS:READ'], 'orders:read', 'ABSTAIN']
]

for (const [type, scopes, attribute, vote] of scopeRows) {
  t.test(`${type} with [${scopes}] on ${attribute}: ${vote}`, (t) => {
    t.equal(scopeVoter.vote(aToken({ type, scopes }), attribute), vote)
    t.end()
  })
}

t.test('it speaks for api:action only', (t) => {
  for (const attribute of ['orders:read', 'a:b:c', ':']) t.equal(scopeVoter.supports(attribute), true, attribute)
  for (const attribute of ['orders', 'ROLE_A:b', 'ROLE_A', ''])
    t.equal(scopeVoter.supports(attribute), false, attribute)
  t.end()
})

t.test('a type that is missing or inherited is that of a machine', (t) => {
  const bare = { user: { identifier: 'a', roles: [] }, getUserIdentifier: () => 'a' }
  const heir = Object.assign(Object.create({ type: 'session' }), bare)
  for (const token of [bare, heir]) t.equal(scopeVoter.vote(token as AccessToken, 'orders:read'), 'ABSTAIN')
  t.end()
})

t.test('the list of human types is closed', (t) => {
  t.same([...NON_SCOPABLE_TOKEN_TYPES], ['session', 'userpassword', 'anonymous'])
  t.end()
})
