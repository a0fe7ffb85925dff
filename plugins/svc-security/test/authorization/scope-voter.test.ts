/** The scope voter: sessions are not scoped, every other token is. */
import type { AccessToken } from 'svc-kernel'
import t from 'tap'
import { NON_SCOPABLE_TOKEN_TYPES, ScopeVoter } from '../../src/authorization/scope-voter.ts'
import { aToken } from '../support/tokens.ts'

const voter = new ScopeVoter()

const rows: Array<[type: string, scopes: string[], attribute: string, vote: string]> = [
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

for (const [type, scopes, attribute, vote] of rows) {
  t.test(`${type} with [${scopes}] on ${attribute}: ${vote}`, (t) => {
    t.equal(voter.vote(aToken({ type, scopes }), attribute), vote)
    t.end()
  })
}

t.test('it speaks for api:action only', (t) => {
  for (const attribute of ['orders:read', 'a:b:c', ':']) t.equal(voter.supports(attribute), true, attribute)
  for (const attribute of ['orders', 'ROLE_A:b', 'ROLE_A', '']) t.equal(voter.supports(attribute), false, attribute)
  t.end()
})

t.test('a type that is missing or inherited is that of a machine', (t) => {
  const bare = { user: { identifier: 'a', roles: [] }, getUserIdentifier: () => 'a' }
  const heir = Object.assign(Object.create({ type: 'session' }), bare)
  for (const token of [bare, heir]) t.equal(voter.vote(token as AccessToken, 'orders:read'), 'ABSTAIN')
  t.end()
})

t.test('the list of human types is closed', (t) => {
  t.same([...NON_SCOPABLE_TOKEN_TYPES], ['session', 'userpassword', 'anonymous'])
  t.end()
})
