/** Which people of a provider get an account, by hand; and claims that every login needs. */
import t from 'tap'
import { type AccountsConfig, accountOf, claimFault } from '../../../src/factors/oauth/account-rule.ts'

const RULE: AccountsConfig = {
  create: true,
  domains: [],
  roles: ['ROLE_STAFF'],
  requireVerifiedEmail: true,
  identifier: 'email'
}
const ann = { email: 'ann@corp.example', email_verified: true }

const rows: Array<[title: string, claims: Record<string, unknown>, rule: Partial<AccountsConfig>, expected: string]> = [
  ['a verified address', ann, {}, 'ann@corp.example'],
  ['an address in capitals', { ...ann, email: 'Ann@Corp.Example' }, {}, 'ann@corp.example'],
  ['verified as a text', { ...ann, email_verified: 'true' }, {}, 'ann@corp.example'],
  ['switched off', ann, { create: false }, '! not_linked'],
  ['not verified', { email: ann.email }, {}, '! email_unverified'],
  ['verified: false', { ...ann, email_verified: false }, {}, '! email_unverified'],
  ['verified: 1', { ...ann, email_verified: 1 }, {}, '! email_unverified'],
  ['not verified, and that is allowed', { email: ann.email }, { requireVerifiedEmail: false }, 'ann@corp.example'],
  ['no address', { email_verified: true }, {}, '! no_email'],
  ['a list of addresses', { ...ann, email: [ann.email] }, {}, '! no_email'],
  ['no address at all', { ...ann, email: 'ann' }, {}, '! no_email'],
  ['two addresses in one', { ...ann, email: 'ann@evil.example@corp.example' }, {}, '! no_email'],
  ['a blank in it', { ...ann, email: 'ann @corp.example' }, {}, '! no_email'],
  ['letters that look alike', { ...ann, email: '\u0430nn@corp.example' }, {}, '! no_email'],
  ['of a domain', ann, { domains: ['corp.example'] }, 'ann@corp.example'],
  ['of another domain', { ...ann, email: 'ann@evil.example' }, { domains: ['corp.example'] }, '! domain'],
  ['of a subdomain', { ...ann, email: 'ann@x.corp.example' }, { domains: ['corp.example'] }, '! domain'],
  ['of a domain that ends alike', { ...ann, email: 'ann@evilcorp.example' }, { domains: ['corp.example'] }, '! domain'],
  ['by its subject', {}, { identifier: 'sub' }, 'home:s-1'],
  ['by its subject, of a domain', ann, { identifier: 'sub', domains: ['corp.example'] }, 'home:s-1'],
  ['by its subject, with no address to judge', {}, { identifier: 'sub', domains: ['corp.example'] }, '! no_email'],
  ['by a claim', { preferred_username: 'ann' }, { identifier: 'preferred_username' }, 'ann'],
  ['by a claim that is missing', {}, { identifier: 'preferred_username' }, '! no_claim preferred_username'],
  ['by a claim that is no text', { oid: 7 }, { identifier: 'oid' }, '! no_claim oid'],
  ['by the name of a method', {}, { identifier: 'toString' }, '! no_claim toString']
]

for (const [title, claims, rule, expected] of rows) {
  t.test(`${title}: ${expected}`, async (t) => {
    const given = accountOf({ provider: 'home', subject: 's-1', claims }, { ...RULE, ...rule })
    const account = { identifier: expected, roles: ['ROLE_STAFF'] }
    t.strictSame(given, expected.startsWith('! ') ? expected.slice(2) : account)
  })
}

t.test('claims that every login needs', async (t) => {
  const required = { hd: ['corp.example', 'corp.test'], tid: ['t-1'] }
  const cases: Array<[claims: Record<string, unknown>, fault: string | null]> = [
    [{ hd: 'corp.example', tid: 't-1' }, null],
    [{ hd: ['other.example', 'corp.test'], tid: 't-1' }, null],
    [{ hd: 'evil.example', tid: 't-1' }, 'hd'],
    [{ hd: 'corp.example' }, 'tid'],
    [{ hd: 'corp.example', tid: 't-2' }, 'tid'],
    [{ hd: { 0: 'corp.example' }, tid: 't-1' }, 'hd'],
    [{}, 'hd']
  ]
  for (const [claims, fault] of cases) t.equal(claimFault(claims, required), fault, JSON.stringify(claims))
  t.equal(claimFault({}, {}), null)
  t.equal(claimFault({}, { toString: ['x'] }), 'toString')
})
