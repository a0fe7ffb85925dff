/** The most frequent passwords are set nowhere, without an option. Ranks by hand from the list that the source names. */
import t from 'tap'
import { hashPassword } from '../../src/password-hashes/argon2id.ts'
import { FREQUENT_HASHES } from '../../src/users/frequent-password-hashes.ts'
import { isFrequent } from '../../src/users/frequent-passwords.ts'
import { CHEAP } from '../support/accounts.ts'
import { keptUsersApp } from '../support/kept-users-app.ts'
import { Browser } from '../support/login-app.ts'

/** The first ones, some from everywhere, and the last one. */
const FREQUENT = ['password', '12345678', 'baseball', '1234567890', '1qaz2wsx', 'trustno1', 'q1w2e3r4t5', '13101988']

t.test('three thousand, in order, whatever their case', async (t) => {
  const hashes = Buffer.from(FREQUENT_HASHES, 'base64').toString('hex').match(/.{10}/g) ?? []
  t.equal(hashes.length, 3000)
  t.strictSame(hashes, [...new Set(hashes)].sort(), 'a search by halves finds each')
  for (const password of FREQUENT) {
    t.equal(isFrequent(password), true, password)
    t.equal(isFrequent(password.toUpperCase()), true, password.toUpperCase())
  }
  // The next two of the list, shorter ones that the length refuses, and what nobody has.
  for (const password of ['13101992', '14051983', '123456', '', 'correct horse battery', ' password']) {
    t.equal(isFrequent(password), false, password)
  }
})

t.test('6.2.4: refused wherever one is set, and no login asks', async (t) => {
  const { app, browserOf } = await keptUsersApp(t)
  const message = 'the password is one of the most frequent ones, which others try first'
  const refused = { statusCode: 400, code: 'SVC_SEC_PASSWORD', message }
  await t.rejects(app.userAccounts.setPassword('alice', 'Trustno1'), refused as never)
  await t.rejects(app.userAccounts.create({ identifier: 'new', password: 'iloveyou', roles: [] }), refused as never)
  const alice = await browserOf('alice')
  const changed = await alice.change('POST', '/auth/password', { current: 'long enough', password: 'baseball' })
  t.match(changed.json(), refused)
  const passwordHash = await hashPassword('password', CHEAP)
  await app.userAccounts.create({ identifier: 'older', passwordHash, roles: [] })
  t.equal((await new Browser(app).login('older', 'password')).statusCode, 200, 'who has one logs in with it')
})
