/** Users with hashes of another system: each logs in with the old password, and has a hash of svc from then on. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { readPhc } from '../../src/password-hashes/argon2id.ts'
import { userStore } from '../../src/users/user-store.ts'
import { CHEAP } from '../support/accounts.ts'
import { keptUsersApp } from '../support/kept-users-app.ts'
import { Browser } from '../support/login-app.ts'

const published = new URL('../../../../../test/vectors/imported-hashes.json', import.meta.url)
const vectors = JSON.parse(readFileSync(published, 'utf8')) as ReadonlyArray<{ password: string; hash: string }>

t.test('every form is taken, proves its user, and is replaced at the first login alone', async (t) => {
  const { app, records } = await keptUsersApp(t)
  const { store } = app.stores.select(userStore, 'auto')
  const stored = async (identifier: string) => (await store?.findByIdentifier(identifier))?.password ?? ''
  for (const [index, { password, hash }] of vectors.entries()) {
    const identifier = `imported ${index}`
    await app.userAccounts.create({ identifier, passwordHash: hash, roles: ['ROLE_USER'] })
    t.equal((await new Browser(app).login(identifier, `${password} not`.slice(-60))).statusCode, 401)
    t.equal(await stored(identifier), hash, 'a failed login replaces nothing')
    t.equal((await new Browser(app).login(identifier, password)).statusCode, 200, hash)
    const renewed = await stored(identifier)
    t.match(readPhc(renewed), CHEAP, 'argon2id of the cost of the options')
    t.equal((await new Browser(app).login(identifier, password)).statusCode, 200)
    t.equal(await stored(identifier), renewed)
  }
  t.notMatch(JSON.stringify(records), /\$|pbkdf2|scrypt/, 'no hash is recorded')
})

t.test('a hash that nothing reads makes no user', async (t) => {
  const { app } = await keptUsersApp(t)
  for (const passwordHash of ['plain text', '', '5f4dcc3b5aa765d61d8327deb882cf99', `$2b$31$${'a'.repeat(53)}`]) {
    const made = app.userAccounts.create({ identifier: 'eve', passwordHash, roles: [] })
    await t.rejects(made, { code: 'SVC_SEC_PASSWORD', statusCode: 400, message: /hash of no known form/ }, passwordHash)
  }
  t.equal(await app.userAccounts.find('eve'), null)
})
