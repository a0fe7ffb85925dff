/** Recovery codes: what they look like, and that only their own user's spelling of them counts. */
import t from 'tap'
import { newRecoveryCodes, recoveryHash } from '../../../src/factors/totp/recovery-code.ts'

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
