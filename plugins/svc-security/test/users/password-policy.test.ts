/** Which passwords may be set, wherever one is; and who has an older one logs in with it all the same. */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BootError } from 'svc-kernel'
import t from 'tap'
import { hashPassword } from '../../src/password-hashes/argon2id.ts'
import { userStore } from '../../src/users/user-store.ts'
import { CHEAP } from '../support/accounts.ts'
import { securedApp } from '../support/guarded-app.ts'
import { keptUsersApp, PASSWORD } from '../support/kept-users-app.ts'
import { Browser } from '../support/login-app.ts'

type App = Awaited<ReturnType<typeof keptUsersApp>>

/** Every place where a password is set. */
const PLACES: Readonly<Record<string, (made: App, password: string) => Promise<unknown>>> = {
  'an administrator makes a user': async ({ browserOf }, password) =>
    (await (await browserOf('root')).change('POST', '/users', { identifier: 'new', password })).json(),
  'a user changes the own': async ({ browserOf }, password) =>
    (await (await browserOf('alice')).change('POST', '/auth/password', { current: PASSWORD, password })).json(),
  'the application makes a user': ({ app }, password) =>
    refusal(app.userAccounts.create({ identifier: 'made', password, roles: [] })),
  'the application resets one': ({ app }, password) => refusal(app.userAccounts.setPassword('root', password)),
  'the application hashes one': ({ app }, password) => refusal(app.userAccounts.hashPassword(password, 'mine'))
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => ({ code: null }),
    ({ statusCode, code, message }) => ({ statusCode, code, message })
  )
}

t.test('X5: a password that is too short is set nowhere', async (t) => {
  const made = await keptUsersApp(t)
  for (const password of ['1', 'seven c', '\u{1f600}'.repeat(7), 'e\u0301'.repeat(7)]) {
    for (const [place, set] of Object.entries(PLACES)) {
      const message = 'the password has fewer than 8 characters'
      const expected = { statusCode: 400, code: 'SVC_SEC_PASSWORD', message }
      t.match(await set(made, password), expected, `${place}: ${password}`)
    }
  }
  t.equal(await made.app.userAccounts.find('new'), null)
  t.equal(await made.app.userAccounts.find('made'), null)
  for (const [place, set] of Object.entries(PLACES)) {
    t.notMatch(await set(made, '\u{1f600}'.repeat(8)), { code: /.+/ }, `${place}: eight characters`)
  }
})

t.test('X5: the length is an option', async (t) => {
  const { app } = await keptUsersApp(t, { passwords: { ...CHEAP, minLength: 11 } })
  t.match(await refusal(app.userAccounts.setPassword('alice', '0123456789')), { message: /fewer than 11/ })
  t.ok(await app.userAccounts.setPassword('alice', '01234567890'))
})

t.test('X5: whoever has a shorter password logs in with it, also where its hash is renewed', async (t) => {
  const { app } = await keptUsersApp(t, { passwords: { ...CHEAP, passes: 2 } })
  const { store } = app.stores.select(userStore, 'auto')
  const short = await hashPassword('abc', CHEAP)
  await store?.create({ identifier: 'old', password: short, roles: [] })
  for (let time = 0; time < 2; time += 1) t.equal((await new Browser(app).login('old', 'abc')).statusCode, 200)
  t.not((await store?.findByIdentifier('old'))?.password, short, 'its hash has the cost of today')
})

t.test('X5: the application refuses what it knows to be leaked, with its reason', async (t) => {
  const asked: unknown[] = []
  const check = async (password: string, identifier: string | null) => {
    asked.push(identifier)
    return password === 'letmein123' ? 'is in a list of leaked passwords\n' : null
  }
  const made = await keptUsersApp(t, {}, { passwords: { check } })
  asked.length = 0
  for (const [place, set] of Object.entries(PLACES)) {
    const message = 'the password is in a list of leaked passwords\\u000a'
    t.match(await set(made, 'letmein123'), { statusCode: 400, code: 'SVC_SEC_PASSWORD', message }, place)
  }
  t.same(asked, ['new', 'alice', 'made', 'root', 'mine'], 'it is told of whom')
  for (const [place, set] of Object.entries(PLACES)) t.notMatch(await set(made, 'another one'), { code: /.+/ }, place)
})

t.test('X5: a check that cannot answer sets no password', async (t) => {
  const checks: Readonly<Record<string, () => unknown>> = {
    throws: () => {
      throw new Error('the list is away')
    },
    rejects: () => Promise.reject(new Error('the list is away')),
    'answers nothing': () => undefined,
    'answers a flag': () => true
  }
  for (const [what, check] of Object.entries(checks)) {
    let strict = false
    const given = { check: (() => (strict ? check() : null)) as never }
    const { app } = await keptUsersApp(t, {}, { passwords: given })
    strict = true
    const refused = await refusal(app.userAccounts.setPassword('alice', 'another one'))
    t.match(refused, { statusCode: what.startsWith('answers') ? 400 : 503 }, what)
    t.notMatch(refused, { message: /list is away/ })
    t.equal((await new Browser(app).login('alice', PASSWORD)).statusCode, 200)
  }
  let silent = false
  const check = () => (silent ? new Promise<null>(() => {}) : null)
  const { app, clock } = await keptUsersApp(t, {}, { passwords: { check } })
  silent = true
  const waiting = refusal(app.userAccounts.setPassword('alice', 'another one'))
  await new Promise(setImmediate)
  clock.advance(5000)
  t.match(await waiting, { statusCode: 503, code: 'SVC_SEC_UNAVAILABLE' })
})

t.test('a password with the name of its user, or with a word of the application, is set nowhere', async (t) => {
  const made = await keptUsersApp(t, { passwords: { ...CHEAP, contextWords: ['Acme Shop'] } })
  // Of the user whose password each place sets; a name of three letters refuses none.
  const users = ['new', 'alice', 'made', 'root', 'mine']
  const message = 'the password contains the name of its user'
  for (const [index, [place, set]] of Object.entries(PLACES).entries()) {
    const name = users[index] as string
    const refused = name.length < 4 ? { identifier: 'new' } : { statusCode: 400, code: 'SVC_SEC_PASSWORD', message }
    t.match(await set(made, `all about ${name}`), refused, `${place}: ${name}`)
    const ofApplication = await set(made, 'my acme-shop password')
    t.match(ofApplication, { code: 'SVC_SEC_PASSWORD', message: /a word of this application/ }, place)
  }
})

t.test('a breached password is set nowhere, by a file and by a function, and without an answer none is', async (t) => {
  const folder = t.testdir({ 'list.txt': `${sha1('letmein123')}:7\n` })
  const path = join(folder, 'list.txt')
  let isAway = false
  const breachedRange = (prefix: string) => {
    if (isAway) throw new Error('the service is away')
    return sha1('trustno1234').startsWith(prefix) ? `${sha1('trustno1234').slice(5)}:1` : ''
  }
  const made = await keptUsersApp(t, { passwords: { ...CHEAP, breached: path } }, { passwords: { breachedRange } })
  const message = 'the password is in a list of breached passwords'
  for (const [place, set] of Object.entries(PLACES)) {
    for (const password of ['letmein123', 'trustno1234']) {
      t.match(
        await set(made, password),
        { statusCode: 400, code: 'SVC_SEC_PASSWORD', message },
        `${place}: ${password}`
      )
    }
  }
  const unavailable = { statusCode: 503, code: 'SVC_SEC_UNAVAILABLE' }
  isAway = true
  t.match(await refusal(made.app.userAccounts.setPassword('alice', 'another one')), unavailable)
  isAway = false
  rmSync(path)
  t.match(await refusal(made.app.userAccounts.setPassword('alice', 'another one')), unavailable)
  t.equal((await new Browser(made.app).login('alice', PASSWORD)).statusCode, 200, 'a login asks no list')
})

t.test('the boot ends with every fault of the options at once', async (t) => {
  const folder = t.testdir({ 'words.txt': 'password\n' })
  const passwords = { ...CHEAP, breached: join(folder, 'words.txt'), decoyHash: 'plain text' }
  const problems = async (given: typeof passwords | typeof missing) =>
    securedApp({ session: {}, users: {}, passwords: given }).then(
      () => [],
      (error: unknown) => (error as BootError).problems
    )
  const codes = [{ code: 'SVC_SEC_BREACHED_LIST' }, { code: 'SVC_SEC_DECOY_HASH' }]
  const missing = { ...CHEAP, breached: join(folder, 'none.txt') }
  t.match(await problems(passwords), codes)
  t.match(await problems(missing), [{ code: 'SVC_SEC_BREACHED_LIST', got: /no such file/ }])
})

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex').toUpperCase()
}
