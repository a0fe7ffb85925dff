/** A socket that a password opened: what is asked again, and when it ends in any case. */
import { createAccessToken } from 'svc-kernel'
import t from 'tap'
import { PasswordRevalidation } from '../../../src/authentication/revalidation/password-revalidation.ts'
import { readUser, type UserSource } from '../../../src/users/user-source.ts'

const token = createAccessToken({
  type: 'userpassword',
  user: { identifier: 'ada', roles: ['ROLE_A'] },
  provenAt: 5000
})

function checked(record: object | null, factors: readonly string[] = [], more: object = {}) {
  const users = { findByIdentifier: async () => readUser(record) } as unknown as UserSource
  const login = { requiredFactors: async () => [...factors] }
  return new PasswordRevalidation(token, 'hash', { users, login, passwordOnly: false, absoluteTimeoutS: 3600, ...more })
}

t.test('A1: it ends when a session would, counted from its proof', async (t) => {
  t.equal(checked(null).endsAt(), 5000 + 3_600_000)
  t.equal(checked(null, [], { absoluteTimeoutS: 0 }).endsAt(), null)
})

const ada = { identifier: 'ada', roles: ['ROLE_B'], password: 'hash' }
const rows: ReadonlyArray<[title: string, record: object | null, factors: string[], more: object, holds: boolean]> = [
  ['the same user', ada, [], {}, true],
  ['another password', { ...ada, password: 'other' }, [], {}, false],
  ['no password any more', { ...ada, password: null }, [], {}, false],
  ['locked', { ...ada, locked: true }, [], {}, false],
  ['not active', { ...ada, active: false }, [], {}, false],
  ['gone', null, [], {}, false],
  ['a second factor', ada, ['totp'], {}, false],
  ['a second factor, where the zone takes passwords alone', ada, ['totp'], { passwordOnly: true }, true]
]

for (const [title, record, factors, more, holds] of rows) {
  t.test(`A1: ${title}`, async (t) => {
    const verdict = await checked(record, factors, more).check()
    if (!holds) return void t.equal(verdict, false)
    t.match(verdict, { type: 'userpassword', user: { identifier: 'ada', roles: ['ROLE_B'] }, provenAt: 5000 })
  })
}
