/** What the built-in voters say about their votes, in sentences; a recorded refusal has them, a decision never asks. */
import t from 'tap'
import { AccessDecisionManager } from '../../src/authorization/access-decision-manager.ts'
import { RecordedVotes } from '../../src/authorization/recorded-votes.ts'
import { RoleHierarchy } from '../../src/authorization/role-hierarchy.ts'
import { type AccessVoter, Vote } from '../../src/authorization/voter.ts'
import { RoleVoter, ScopeVoter } from '../../src/authorization/voters.ts'
import { aToken } from '../support/tokens.ts'

const hierarchy = new RoleHierarchy({ ROLE_OWNER: ['ROLE_EDITOR', 'ROLE_BILLING'], ROLE_CHIEF: ['ROLE_OWNER'] })
const role = new RoleVoter(hierarchy)
const scope = new ScopeVoter()

const rows: readonly [voter: AccessVoter, token: Parameters<typeof aToken>[0], attribute: string, sentence: string][] =
  [
    [
      role,
      { roles: ['ROLE_USER'] },
      'ROLE_EDITOR',
      'ROLE_EDITOR is missing: eve has ROLE_USER; ROLE_OWNER, ROLE_CHIEF inherit it'
    ],
    [role, { roles: [] }, 'ROLE_OWNER', 'ROLE_OWNER is missing: eve has no role; ROLE_CHIEF inherits it'],
    [role, { roles: ['A', 'B'] }, 'ROLE_NEW', 'ROLE_NEW is missing: eve has A, B; no role inherits it'],
    [role, { roles: ['ROLE_EDITOR'] }, 'ROLE_EDITOR', 'eve has ROLE_EDITOR'],
    [role, { roles: ['X', 'ROLE_CHIEF'] }, 'ROLE_EDITOR', 'eve has ROLE_CHIEF, which inherits ROLE_EDITOR'],
    [
      scope,
      { type: 'apikey', scopes: [] },
      'orders:read',
      'the scope orders:read is missing: the credential of eve has none'
    ],
    [
      scope,
      { type: 'apikey', scopes: ['a:b', 'c:d'] },
      'orders:read',
      'the scope orders:read is missing: the credential of eve has a:b, c:d'
    ],
    [scope, { type: 'apikey', scopes: ['orders:read'] }, 'orders:read', 'orders:read is a scope of the credential'],
    [scope, { type: 'session' }, 'orders:read', 'scopes do not limit the login of a person']
  ]

for (const [voter, given, attribute, sentence] of rows) {
  t.test(`Q9: ${sentence}`, async (t) => {
    const token = aToken({ identifier: 'eve', ...given })
    const vote = await voter.vote(token, attribute)
    t.equal(voter.explain?.(token, attribute, vote as Vote), sentence)
  })
}

t.test('Q9: a hierarchy of hundreds of roles is no page of names', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`ROLE_${index}`, ['ROLE_ALL']]))
  const sentence = new RoleVoter(new RoleHierarchy(many)).explain(aToken({ roles: [] }), 'ROLE_ALL', Vote.ABSTAIN)
  t.match(sentence, /ROLE_7 and 292 more inherit it$/)
})

t.test('Q9: a voter is asked for sentences where it gave none, and one that fails at it changes nothing', async (t) => {
  let asked = 0
  const voters: AccessVoter[] = [
    { supports: () => true, vote: () => ({ vote: 'ABSTAIN', reason: 'its own' }), explain: () => 'never' },
    { supports: () => true, vote: () => 'ABSTAIN', explain: () => `asked ${++asked}` },
    {
      supports: () => true,
      vote: () => 'ABSTAIN',
      explain: () => {
        throw new Error('broken')
      }
    },
    { supports: () => true, vote: () => 'ABSTAIN', explain: () => 7 as unknown as string },
    { supports: () => true, vote: () => 'ABSTAIN' }
  ]
  const named = voters.map((voter, index) => ({ name: `v${index}`, voter }))
  const manager = new AccessDecisionManager(named, 1000, { now: () => 0 } as never)
  const votes = new RecordedVotes()
  t.match(await manager.decide(aToken(), 'verb', undefined, votes), { granted: false, reason: 'abstain' })
  t.equal(asked, 0, 'a decision asks for none')
  t.strictSame(
    manager.reasoned(votes.cast, aToken(), 'verb', undefined).map(({ reason }) => reason),
    ['its own', 'asked 1', undefined, undefined, undefined]
  )
})
