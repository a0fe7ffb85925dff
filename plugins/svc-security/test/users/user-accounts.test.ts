/** Users made where this plugin keeps them; they can log in. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { readPhc } from '../../src/users/passwords.ts'
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
