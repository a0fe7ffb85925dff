/** What switches a user off or locks it, under each of its names, and the word for keys that nothing reads. */
import t from 'tap'
import type { SvcSecurityParts, UserProvider } from '../../src/index.ts'
import { unreadKeys } from '../../src/users/user-flags.ts'
import { readUser } from '../../src/users/user-source.ts'
import { ALICE_PASSWORD, CHEAP, someAccounts } from '../support/accounts.ts'
import { echoRoute, securedApp } from '../support/guarded-app.ts'
import { logLines } from '../support/log-lines.ts'
import { API, Browser } from '../support/login-app.ts'

const rows: ReadonlyArray<[flags: object, enabled: boolean, locked: boolean]> = [
  [{}, true, false],
  [{ active: true }, true, false],
  [{ active: false }, false, false],
  [{ active: null }, false, false],
  [{ active: 'false' }, false, false],
  [{ active: 0 }, false, false],
  [{ enabled: true, active: false }, false, false],
  [{ enabled: false, active: true }, false, false],
  [{ isLocked: true }, true, true],
  [{ isLocked: false }, true, false],
  [{ isLocked: null }, true, true],
  [{ locked: false, isLocked: true }, true, true],
  [{ locked: true, isLocked: false }, true, true],
  [{ active: undefined, isLocked: undefined }, true, false]
]

for (const [flags, enabled, locked] of rows) {
  t.test(`C22: the stricter of all flags counts: ${JSON.stringify(flags)}`, async (t) => {
    t.match(readUser({ identifier: 'ada', roles: [], ...flags }), { enabled, locked })
  })
}

t.test('C22: a user of a provider who is not active, or is locked, neither logs in nor goes on', async (t) => {
  const password = (await someAccounts()).get('alice').password ?? null
  const ada: { identifier: string; password: string | null; active?: boolean; isLocked?: boolean } = {
    identifier: 'ada',
    password
  }
  const users: UserProvider = { findByIdentifier: (name) => (name === 'ada' ? { ...ada } : null) }
  const areas = { in: { pattern: '^/in', authenticators: ['session'] } }
  const rateLimit = { freeAttempts: 100 }
  const app = await securedApp({ areas, passwords: CHEAP, rateLimit, parts: { users } })
  t.teardown(() => app.close())
  echoRoute(app, '/in/echo')
  for (const barred of [{ active: false }, { isLocked: true }]) {
    Object.assign(ada, { active: true, isLocked: false })
    const browser = new Browser(app)
    t.equal((await browser.login('ada', ALICE_PASSWORD)).statusCode, 200)
    t.equal((await browser.call('GET', '/in/echo')).statusCode, 200)
    Object.assign(ada, barred)
    t.equal((await browser.call('GET', '/in/echo')).statusCode, 401, `open session, ${JSON.stringify(barred)}`)
    t.equal((await new Browser(app).login('ada', ALICE_PASSWORD)).statusCode, 401, JSON.stringify(barred))
  }
  t.equal((await app.inject(`${API}/auth/me`)).statusCode, 401)
})

const keys: ReadonlyArray<[record: object, unread: string[]]> = [
  [{ id: '1', identifier: 'ada', roles: [], password: null, enabled: true, active: true, locked: false }, []],
  [{ identifier: 'ada', email: 'a@b.c', createdAt: 5, tenantId: 't' }, []],
  [{ identifier: 'ada', enable: false }, ['enable']],
  [{ identifier: 'ada', disabled: true, islocked: 1 }, ['disabled', 'islocked']],
  [{ identifier: 'ada', role: ['ROLE_X'] }, ['role']]
]

for (const [record, unread] of keys) {
  t.test(`C22: unread in ${JSON.stringify(record)}`, async (t) => t.strictSame(unreadKeys(record), unread))
}

t.test('C22: a key that nothing reads is named in the log, once', async (t) => {
  const { lines, logger } = logLines()
  const users = { findByIdentifier: (identifier: string) => ({ identifier, enable: false, disabled: false }) }
  const parts: SvcSecurityParts = { users }
  const app = await securedApp({ parts }, { logger })
  t.teardown(() => app.close())
  await app.ready()
  for (let n = 0; n < 3; n += 1) await app.userAccounts.find('ada')
  const named = lines.filter(({ code }) => code === 'SVC_SEC_USER_KEY_UNREAD')
  t.strictSame(
    named.map(({ got, fix }) => [got, fix]),
    [
      ['enable', 'write enabled'],
      ['disabled', 'remove the key, or use one of the flags']
    ]
  )
})
