/** Sign-up, from a request to a login, and what is tried instead. */
import t from 'tap'
import { AccountsApp, ADA, LINK, OTHER_PASSWORD, PASSWORD, tokenOf } from '../support/accounts-app.ts'

t.test('an account exists once its link comes back with its password', async (t) => {
  const app = await AccountsApp.start(t)
  const asked = await app.post('/sign-up', { address: ' ada@EXAMPLE.org ', password: PASSWORD, locale: 'de' })
  t.match(asked, { statusCode: 202, headers: { 'cache-control': 'no-store' } })
  t.strictSame(asked.json(), { ok: true })
  t.equal((await app.browser().login()).statusCode, 401, 'nobody can log in before')
  const letter = await app.letter()
  t.match(letter, { to: ADA, subject: 'Bestätigen Sie Ihre Adresse' })
  t.match(letter.text, `${LINK}/sign-up#`)
  t.match(letter.html, `<a href="${LINK}/sign-up#${tokenOf(letter)}">Adresse bestätigen</a>`)
  t.equal(await app.fastify.userAccounts.find(ADA), null)

  const token = tokenOf(letter)
  const wrong = await app.post('/verify', { token, password: OTHER_PASSWORD })
  t.match(wrong, { statusCode: 400 })
  t.equal(wrong.json().code, 'SVC_ACCOUNTS_SIGN_UP_PASSWORD')
  const verified = await app.post('/verify', { token, password: PASSWORD })
  t.strictSame([verified.statusCode, verified.json()], [200, { identifier: ADA }])
  const browser = app.browser()
  t.equal((await browser.login()).statusCode, 200)
  t.strictSame((await browser.me()).json(), { identifier: ADA, verified: true, deleteAt: null })
  t.match(app.events('account.verified'), [{ resource: ADA, outcome: 'success' }])

  const again = await app.post('/verify', { token, password: PASSWORD })
  t.equal(again.statusCode, 400, 'a link works once')
  t.equal(again.json().code, 'SVC_ACCOUNTS_TOKEN')
})

t.test('an address that has an account gets a mail, and the caller the same answer', async (t) => {
  const app = await AccountsApp.start(t)
  await app.signedIn()
  const answers = [ADA, 'new@example.org'].map((address) => app.post('/sign-up', { address, password: OTHER_PASSWORD }))
  const [taken, free] = await Promise.all(answers)
  t.equal(taken?.payload, free?.payload)
  const letters = await app.letters()
  t.strictSame(letters.map(({ to, subject }) => `${to} ${subject}`).sort(), [
    'ada@example.org You have an account already',
    'new@example.org Confirm your address'
  ])
  t.equal((await app.browser().login(ADA, PASSWORD)).statusCode, 200, 'its password is as it was')
})

t.test('a link is over after its hours, and is replaced by a newer one', async (t) => {
  const app = await AccountsApp.start(t)
  const ask = async (path: string, body: object) => {
    await app.post(path, { address: ADA, ...body })
    return tokenOf(await app.letter())
  }
  const first = await ask('/sign-up', { password: PASSWORD })
  const second = await ask('/sign-up/resend', {})
  t.equal((await app.post('/verify', { token: first, password: PASSWORD })).statusCode, 400)
  // Another clock may be behind: the link is as valid as before.
  app.clock.advance(-600_000)
  app.clock.advance(24 * 3_600_000 + 600_000)
  t.equal((await app.post('/verify', { token: second, password: PASSWORD })).statusCode, 400, 'it came late')
  const third = await ask('/sign-up', { password: OTHER_PASSWORD })
  app.clock.advance(24 * 3_600_000 - 1)
  t.equal(
    (await app.post('/verify', { token: third, password: PASSWORD })).statusCode,
    400,
    'the password is the newer one'
  )
  t.equal((await app.post('/verify', { token: third, password: OTHER_PASSWORD })).statusCode, 200)
})

t.test('of two that sign up with one address and redeem at once, one gets the account', async (t) => {
  const app = await AccountsApp.start(t)
  await app.post('/sign-up', { address: ADA, password: PASSWORD })
  const token = tokenOf(await app.letter())
  const both = await Promise.all([1, 2].map(() => app.post('/verify', { token, password: PASSWORD })))
  t.strictSame(both.map(({ statusCode }) => statusCode).sort(), [200, 400])
  t.equal(await app.fastify.userAccounts.count({}), 1)
})

t.test('resending sends nothing without an open sign-up', async (t) => {
  const app = await AccountsApp.start(t)
  t.equal((await app.post('/sign-up/resend', { address: ADA })).statusCode, 202)
  t.strictSame(await app.letters(), [])
})

t.test('with unverified, an account can log in at once, and its link proves the address', async (t) => {
  const app = await AccountsApp.start(t, {
    options: { signUp: { unverified: true, roles: ['ROLE_BUYER'] }, reset: {} }
  })
  await app.post('/sign-up', { address: ADA, password: PASSWORD })
  const letter = await app.letter()
  const browser = app.browser()
  t.equal((await browser.login()).statusCode, 200)
  t.match((await app.fastify.userAccounts.find(ADA))?.roles, ['ROLE_BUYER'])
  t.match((await browser.me()).json(), { verified: false })
  await app.post('/sign-up/resend', { address: ADA })
  const token = tokenOf(await app.letter())
  t.equal((await app.post('/verify', { token: tokenOf(letter), password: PASSWORD })).statusCode, 400)
  t.equal((await app.post('/verify', { token, password: PASSWORD })).statusCode, 200)
  t.match((await browser.me()).json(), { verified: true })
})

t.test('the link of an unverified account ends with its password', async (t) => {
  const app = await AccountsApp.start(t, { options: { signUp: { unverified: true }, reset: {} } })
  await app.post('/sign-up', { address: ADA, password: PASSWORD })
  const token = tokenOf(await app.letter())
  await app.post('/reset', { address: ADA })
  await app.post('/reset/complete', { token: tokenOf(await app.letter()), password: OTHER_PASSWORD })
  t.equal((await app.post('/verify', { token, password: PASSWORD })).statusCode, 400)
  const browser = app.browser()
  t.equal((await browser.login(ADA, PASSWORD)).statusCode, 401, 'who signed up with the address of another is out')
  await browser.login(ADA, OTHER_PASSWORD)
  t.match((await browser.me()).json(), { verified: true }, 'the reset has proven the address')
})

t.test('what is no address, and a password that is refused, begin nothing', async (t) => {
  const app = await AccountsApp.start(t)
  const rows = [
    ['ada', PASSWORD, 'SVC_ACCOUNTS_ADDRESS'],
    ['Ada <ada@example.org>', PASSWORD, 'SVC_ACCOUNTS_ADDRESS'],
    ['ada@example.org, eve@example.org', PASSWORD, 'SVC_ACCOUNTS_ADDRESS'],
    ['ada@example.org\r\nBcc: eve@example.org', PASSWORD, 'SVC_ACCOUNTS_ADDRESS'],
    [ADA, 'short', 'SVC_SEC_PASSWORD'],
    [ADA, '', 'SVC_HTTP_VALIDATION']
  ] as const
  for (const [address, password, code] of rows) {
    const answer = await app.post('/sign-up', { address, password })
    t.strictSame([answer.statusCode, answer.json().code], [400, code], address)
  }
  t.strictSame(await app.letters(), [])
})
