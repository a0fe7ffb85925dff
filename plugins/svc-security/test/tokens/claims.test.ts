/** Claims beyond the signature: a table of what is refused, and why. */
import t from 'tap'
import { authTimeOf, claimsFault, scopesOf } from '../../src/tokens/access-token-form.ts'

const NOW = 1_800_000_000_000
const S = NOW / 1000
const good = { sub: 'alice', jti: 'j', iat: S - 10, exp: S + 10 }

const rows: [title: string, claims: Record<string, unknown>, fault: string | null][] = [
  ['all is well', {}, null],
  ['JWT-33: sub missing', { sub: undefined }, 'sub'],
  ['JWT-33: sub empty', { sub: '' }, 'sub'],
  ['JWT-33: sub a number', { sub: 5 }, 'sub'],
  ['JWT-33: sub a list', { sub: ['alice'] }, 'sub'],
  ['jti missing', { jti: undefined }, 'jti'],
  ['jti empty', { jti: '' }, 'jti'],
  ['jti a number', { jti: 1 }, 'jti'],
  ['JWT-26: exp missing', { exp: undefined }, 'exp'],
  ['JWT-26: exp null', { exp: null }, 'exp'],
  ['JWT-26: exp a text', { exp: String(S + 10) }, 'exp'],
  ['JWT-26: exp negative', { exp: -1 }, 'exp'],
  ['exp 1e400, which JSON reads as Infinity', { exp: Number.POSITIVE_INFINITY }, 'exp'],
  ['exp NaN', { exp: Number.NaN }, 'exp'],
  ['exp beyond exact milliseconds', { exp: Number.MAX_SAFE_INTEGER }, 'exp'],
  ['exp with a fraction', { exp: S + 10.5 }, 'exp'],
  ['JWT-28: exp is now', { exp: S }, 'expired'],
  ['exp a second ago', { exp: S - 1 }, 'expired'],
  ['exp in a second', { exp: S + 1 }, null],
  ['JWT-32: iat missing', { iat: undefined }, 'iat'],
  ['iat a text', { iat: '1' }, 'iat'],
  ['iat now', { iat: S }, null],
  ['iat a second ahead', { iat: S + 1 }, 'future'],
  ['JWT-31: iat an hour ahead', { iat: S + 3600, exp: S + 7200 }, 'future'],
  ['nbf in the past', { nbf: S - 1 }, null],
  ['nbf now', { nbf: S }, null],
  ['nbf ahead', { nbf: S + 1 }, 'nbf'],
  ['nbf null', { nbf: null }, 'nbf'],
  ['nbf a text', { nbf: '0' }, 'nbf'],
  ['bound to a key', { cnf: { jkt: 'x' } }, null],
  ['bound to a key without a name', { cnf: { jkt: '' } }, 'cnf'],
  ['bound to a certificate', { cnf: { 'x5t#S256': 'x' } }, 'cnf'],
  ['bound to a key and more', { cnf: { jkt: 'x', jwk: {} } }, 'cnf'],
  ['bound to nothing that can be read', { cnf: null }, 'cnf']
]

t.test('claims', async (t) => {
  for (const [title, claims, fault] of rows) t.equal(claimsFault({ ...good, ...claims }, NOW, 0), fault, title)
})

t.test('a tolerance counts in both directions, to the millisecond', async (t) => {
  t.equal(claimsFault({ ...good, exp: S - 4 }, NOW, 5000), null)
  t.equal(claimsFault({ ...good, exp: S - 5 }, NOW, 5000), 'expired')
  t.equal(claimsFault({ ...good, iat: S + 5 }, NOW, 5000), null)
  t.equal(claimsFault({ ...good, iat: S + 6 }, NOW, 5000), 'future')
  t.equal(claimsFault({ ...good, nbf: S + 5 }, NOW, 5000), null)
  t.equal(claimsFault({ ...good, nbf: S + 6 }, NOW, 5000), 'nbf')
})

t.test('scopes are one text; anything else holds none', async (t) => {
  const rows: [scope: unknown, scopes: string[]][] = [
    ['a:b c:d', ['a:b', 'c:d']],
    ['a:b', ['a:b']],
    ['  a:b  ', ['a:b']],
    ['', []],
    [undefined, []],
    [['a:b'], []],
    [{ length: 1, 0: 'a:b' }, []]
  ]
  for (const [scope, scopes] of rows) t.strictSame(scopesOf(scope), scopes, JSON.stringify(scope))
})

t.test('auth_time says when the subject was proven; anything else says nothing', async (t) => {
  const times: [time: unknown, provenAt: number | null][] = [
    [S, NOW],
    [0, 0],
    [-1, null],
    [S + 0.5, null],
    [String(S), null],
    [undefined, null]
  ]
  for (const [time, provenAt] of times) t.equal(authTimeOf(time), provenAt, String(time))
})
