/** Codes against the vectors of RFC 6238, appendix B (SHA-1), cut to six digits. */
import { Secret } from 'otpauth'
import t from 'tap'
import {
  matchingStep,
  newRecoveryCodes,
  newTotpSecret,
  recoveryHash,
  totpUri
} from '../../../src/factors/totp/totp-code.ts'

const SECRET = Secret.fromLatin1('12345678901234567890').base32

const vectors: ReadonlyArray<readonly [seconds: number, code: string]> = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130']
]

t.test('a code holds in its step and one step to either side', async (t) => {
  for (const [seconds, code] of vectors) {
    const step = Math.floor(seconds / 30)
    for (const offset of [-30, 0, 30]) t.equal(matchingStep(SECRET, code, (seconds + offset) * 1000), step, code)
    for (const offset of [-60, 60]) t.equal(matchingStep(SECRET, code, (seconds + offset) * 1000), null, code)
  }
})

t.test('what has not six digits is no code', async (t) => {
  for (const code of ['', '28708', '2870820', ' 287082', '287082\n', '28708a', '２８７０８２', '94287082']) {
    t.equal(matchingStep(SECRET, code, 59_000), null, JSON.stringify(code))
  }
})

t.test('a secret is fresh, has 160 bits, and stands in the URI with every parameter', async (t) => {
  const secret = newTotpSecret()
  t.match(secret, /^[A-Z2-7]{32}$/)
  t.not(newTotpSecret(), secret)
  const uri = new URL(totpUri(secret, 'alice@example.com', 'shop'))
  t.equal(uri.protocol, 'otpauth:')
  t.equal(decodeURIComponent(uri.pathname.split('/').at(-1) ?? ''), 'shop:alice@example.com')
  t.strictSame(Object.fromEntries(uri.searchParams), {
    issuer: 'shop',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30'
  })
})

t.test('ten codes, all different, all hashable', async (t) => {
  const codes = newRecoveryCodes()
  t.equal(codes.length, 10)
  for (const code of codes) t.match(code, /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  t.equal(new Set(codes.map((code) => recoveryHash('1', code))).size, 10)
})

t.test('blanks, dashes and capitals do not matter; the user does', async (t) => {
  const stored = recoveryHash('1', '0123-4567-89ab-cdef')
  for (const typed of ['0123456789abcdef', '0123 4567 89AB CDEF', ' 0123-4567-89ab-cdef\n']) {
    t.equal(recoveryHash('1', typed), stored, JSON.stringify(typed))
  }
  t.not(recoveryHash('2', '0123-4567-89ab-cdef'), stored)
})

t.test('what cannot be a recovery code has no hash', async (t) => {
  for (const typed of [
    '',
    '123456',
    '0123-4567-89ab-cde',
    '0123-4567-89ab-cdeff',
    '0123-4567-89ab-cdei',
    'é'.repeat(16)
  ]) {
    t.equal(recoveryHash('1', typed), null, JSON.stringify(typed))
  }
})
