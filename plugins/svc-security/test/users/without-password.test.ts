/** Accounts expressly without a password: no text proves them, and no rule for passwords keeps one from being made. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { userStore } from '../../src/users/user-store.ts'
import { CHEAP } from '../support/accounts.ts'
import { securedApp } from '../support/guarded-app.ts'
import { API, Browser } from '../support/login-app.ts'

const PASSWORD = 'correct horse battery'

/** An application whose rules take every password, or none while `open` is false. */
async function strictApp(t: Test) {
  const rules = { open: true }
  const user = inMemory(userStore, { clock: new ManualClock() })
  const check = () => (rules.open ? null : 'is refused')
  const breachedRange = () => {
    if (rules.open) return ''
    throw new Error('the list is away')
  }
  const parts = { stores: { user }, passwords: { check, breachedRange } }
  const app = await securedApp({ users: {}, passwords: CHEAP, parts })
  t.teardown(() => app.close())
  return { app, user, rules }
}

t.test('made where no password is taken, and none lets anybody in until one is set', async (t) => {
  const { app, user, rules } = await strictApp(t)
  rules.open = false
  const id = await app.userAccounts.create({ identifier: 'ann', password: null, roles: ['ROLE_X'] })
  t.match(await user.find(id), { identifier: 'ann', password: null, enabled: true })
  for (const text of ['null', PASSWORD]) {
    const answer = await new Browser(app).login('ann', text)
    t.match(answer.json(), { statusCode: 401, code: 'SVC_SEC_CREDENTIALS' }, text)
  }
  await t.rejects(app.userAccounts.setPassword('ann', PASSWORD), { statusCode: 503 } as never, 'the rules are asked')
  rules.open = true
  t.equal(await app.userAccounts.setPassword('ann', PASSWORD), true)
  t.equal((await new Browser(app).login('ann', PASSWORD)).statusCode, 200)
})

t.test('taken away, whatever the rules say, with everything that it let in', async (t) => {
  const { app, user, rules } = await strictApp(t)
  const id = await app.userAccounts.create({ identifier: 'ann', password: PASSWORD, roles: [] })
  const browser = new Browser(app)
  await browser.login('ann', PASSWORD)
  rules.open = false
  t.equal(await app.userAccounts.setPassword('ann', null), true)
  t.equal((await user.find(id))?.password, null)
  t.equal((await browser.call('GET', `${API}/auth/me`)).statusCode, 401)
  t.equal((await new Browser(app).login('ann', PASSWORD)).statusCode, 401)
  t.equal(await app.userAccounts.setPassword('nobody', null), false)
})

t.test('with a hash beside it, or with neither, nothing is made', async (t) => {
  const { app } = await strictApp(t)
  const passwordHash = await app.userAccounts.hashPassword(PASSWORD)
  for (const given of [{ password: null, passwordHash }, {}, { password: undefined as never }]) {
    const account = { identifier: 'ann', roles: [], ...given }
    await t.rejects(app.userAccounts.create(account), { code: 'SVC_SEC_PASSWORD' } as never)
  }
  t.equal(await app.userAccounts.find('ann'), null)
})
