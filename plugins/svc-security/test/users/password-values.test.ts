/** What a password may be made of: anything of eight characters and more, compared as it is, for as long as its user keeps it. */
import t from 'tap'
import { keptUsersApp, PASSWORD } from '../support/kept-users-app.ts'
import { Browser } from '../support/login-app.ts'

const TEN_YEARS_MS = 3_650 * 86_400_000

async function setUp(t: Parameters<typeof keptUsersApp>[0]) {
  const { app, clock } = await keptUsersApp(t)
  const login = async (password: string) => (await new Browser(app).login('alice', password)).statusCode
  return { app, clock, login, set: (password: string) => app.userAccounts.setPassword('alice', password) }
}

t.test('any eight characters will do, whatever their kind; nothing of them is asked for', async (t) => {
  const { login, set } = await setUp(t)
  for (const password of [
    'kqzvwxyj',
    '73918264',
    '        ',
    '.-.-.-.-',
    'Åéîøüßñç',
    '日本語日本語日本',
    '\u{1f600}'.repeat(8)
  ]) {
    t.ok(await set(password), password)
    t.equal(await login(password), 200, password)
  }
})

t.test('a long one is taken whole: its last character counts, and it is compared as it was typed', async (t) => {
  const { login, set } = await setUp(t)
  for (const length of [64, 128, 1024]) {
    const password = `${'aB 3'.repeat(length / 4 - 1)}aB z`
    t.equal(password.length, length)
    t.ok(await set(password))
    t.equal(await login(password), 200, `${length} characters`)
    t.equal(await login(`${password.slice(0, -1)}y`), 401, 'another last character')
    t.equal(await login(password.slice(0, -1)), 401, 'one character less')
    t.equal(await login(password.toUpperCase()), 401, 'capitals')
    await set(password)
  }
  await set(' spaced out ')
  t.equal(await login('spaced out'), 401, 'nothing is trimmed')
})

t.test('it holds until its user changes it, without a date', async (t) => {
  const { clock, login } = await setUp(t)
  clock.advance(TEN_YEARS_MS)
  t.equal(await login(PASSWORD), 200)
})
