/** Users made where this plugin keeps them; they can log in. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { readPhc } from '../../src/password-hashes/argon2id.ts'
import { userStore } from '../../src/users/user-store.ts'
import { CHEAP } from '../support/accounts.ts'
import { securedApp } from '../support/guarded-app.ts'
import { Browser, loginApp } from '../support/login-app.ts'

async function storeApp() {
  const user = inMemory(userStore, { clock: new ManualClock() })
  const app = await securedApp({ users: {}, passwords: CHEAP, parts: { stores: { user } } })
  return { app, user }
}

t.test('made, and logged in', async (t) => {
  const { app, user } = await storeApp()
  const id = await app.userAccounts.create({ identifier: 'zoe\u0308', password: 'long enough', roles: ['ROLE_X'] })
  const stored = await user.find(id)
  t.match(stored, { identifier: 'zo\u00eb', roles: ['ROLE_X'], enabled: true, locked: false })
  t.match(readPhc(stored?.password ?? ''), CHEAP)
  const login = await new Browser(app).login('zoe\u0308', 'long enough')
  t.match(login.json(), { user: { identifier: 'zo\u00eb', roles: ['ROLE_X'] } })
  await app.close()
})

t.test('a name is taken once; a password is not empty', async (t) => {
  const { app } = await storeApp()
  const account = { identifier: 'alice', password: 'long enough', roles: [] }
  await app.userAccounts.create(account)
  await t.rejects(app.userAccounts.create(account), { code: 'SVC_STORE_DUPLICATE' } as never)
  await t.rejects(app.userAccounts.create({ ...account, password: '' }), { code: 'SVC_SEC_PASSWORD' } as never)
  await app.close()
})

t.test('where users are kept', async (t) => {
  const { app: own } = await loginApp()
  t.equal(own.userAccounts.driver, 'application')
  await t.rejects(own.userAccounts.create({ identifier: 'a', password: 'b', roles: [] }), { statusCode: 503 } as never)
  await own.close()
  const memory = await securedApp({ users: { store: 'memory' } })
  t.equal(memory.userAccounts.driver, 'memory')
  await memory.close()
  const { app: ready } = await storeApp()
  t.equal(ready.userAccounts.driver, 'parts')
  await ready.close()
})

t.test('P10: an account is created with a hash that it brings, renamed and removed', async (t) => {
  const { app } = await storeApp()
  const accounts = app.userAccounts
  const passwordHash = await accounts.hashPassword('long enough')
  await accounts.create({ identifier: 'ann', passwordHash, roles: ['ROLE_X'] })
  t.equal((await new Browser(app).login('ann', 'long enough')).statusCode, 200)
  const refused: Array<[password: string | undefined, hash: string | undefined]> = [
    [undefined, undefined],
    ['long enough', passwordHash],
    [undefined, '$2b$10$abcdefghijklmnopqrstuv'],
    [undefined, 'long enough']
  ]
  for (const [password, hash] of refused) {
    const account = { identifier: 'bob', roles: [], ...(password && { password }), ...(hash && { passwordHash: hash }) }
    await t.rejects(accounts.create(account), { code: 'SVC_SEC_PASSWORD' } as never)
  }
  t.equal(await accounts.find('bob'), null)

  const open = new Browser(app)
  await open.login('ann', 'long enough')
  t.equal(await accounts.rename('ann', 'anna'), true)
  t.equal((await open.call('GET', '/svc/security/api/auth/me')).statusCode, 401, 'the session named the old identifier')
  t.equal((await new Browser(app).login('ann', 'long enough')).statusCode, 401)
  t.equal((await new Browser(app).login('anna', 'long enough')).statusCode, 200)
  await accounts.create({ identifier: 'zoe', passwordHash, roles: [] })
  await t.rejects(accounts.rename('zoe', 'anna'), { code: 'SVC_STORE_DUPLICATE' } as never)
  t.equal(await accounts.rename('nobody', 'x'), false)

  t.equal(await accounts.remove('anna'), true)
  t.equal(await accounts.remove('anna'), false)
  t.equal(await accounts.find('anna'), null)
  await app.close()
})
