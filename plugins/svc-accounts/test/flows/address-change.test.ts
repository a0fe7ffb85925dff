/** Change of the address, its undoing, and who tries to take an account over by it. */
import { TOTP } from 'otpauth'
import t from 'tap'
import { AccountsApp, ADA, OTHER_PASSWORD, PASSWORD, tokenOf } from '../support/accounts-app.ts'

const NEW = 'ada@example.com'

t.test('the new address proves itself, the old one is told, and can undo it', async (t) => {
  const app = await AccountsApp.start(t)
  const browser = await app.signedIn()
  t.equal((await browser.post('/address', { address: NEW })).statusCode, 202)
  const asked = await app.letter()
  t.match(asked, { to: NEW, subject: 'Confirm your new address' })
  t.equal((await app.browser().login(ADA)).statusCode, 200, 'nothing has changed yet')
  const confirmed = await app.post('/address/confirm', { token: tokenOf(asked) })
  t.strictSame([confirmed.statusCode, confirmed.json()], [200, { identifier: NEW }])
  const letters = await app.letters()
  t.match(letters, [
    { to: ADA, subject: 'The address of your account changes', text: NEW },
    { to: NEW, subject: 'Your address was changed' }
  ])
  t.equal((await browser.me()).statusCode, 401, 'its sessions have ended')
  t.equal((await app.browser().login(ADA)).statusCode, 401)
  t.equal((await app.browser().login(NEW)).statusCode, 200)
  t.equal((await app.post('/address/confirm', { token: tokenOf(asked) })).statusCode, 400)

  // A thief would also change the password.
  await app.fastify.userAccounts.setPassword(NEW, OTHER_PASSWORD)
  await app.letters()
  const [toOld] = letters
  const token = toOld === undefined ? '' : tokenOf(toOld)
  t.equal((await app.post('/address/undo', { token })).statusCode, 200)
  for (const [name, password] of [
    [NEW, OTHER_PASSWORD],
    [ADA, OTHER_PASSWORD],
    [ADA, PASSWORD]
  ]) {
    t.equal((await app.browser().login(name, password)).statusCode, 401, 'nobody knows the password')
  }
  const reset = (await app.letters()).find(({ subject }) => subject === 'Reset your password')
  t.equal(reset?.to, ADA)
  const chosen = { token: reset === undefined ? '' : tokenOf(reset), password: PASSWORD }
  t.equal((await app.post('/reset/complete', chosen)).statusCode, 200)
  t.equal((await app.browser().login(ADA)).statusCode, 200)
  t.equal((await app.post('/address/undo', { token })).statusCode, 400)
  t.strictSame([app.events('account.address_changed').length, app.events('account.address_restored').length], [1, 1])
})

t.test('no rule for passwords keeps an owner from taking the account back', async (t) => {
  const rule: { refuses: string | null } = { refuses: null }
  const app = await AccountsApp.start(t, { passwordCheck: () => rule.refuses })
  const browser = await app.signedIn()
  await browser.post('/address', { address: NEW })
  await app.post('/address/confirm', { token: tokenOf(await app.letter()) })
  const [toOld] = await app.letters()
  rule.refuses = 'contains a word of the shop'
  const undone = await app.post('/address/undo', { token: toOld === undefined ? '' : tokenOf(toOld) })
  t.strictSame([undone.statusCode, undone.json()], [200, { ok: true }])
  t.match(await app.fastify.userAccounts.find(ADA), { identifier: ADA })
  t.equal((await app.browser().login(ADA)).statusCode, 401)
})

t.test('what was enrolled by then is gone once the change is undone', async (t) => {
  const app = await AccountsApp.start(t, { security: { totp: {} } })
  const browser = await app.signedIn()
  const enrolled = await browser.call('POST', '/svc/security/api/totp/enroll', {})
  t.equal(enrolled.statusCode, 200)
  const code = new TOTP({ secret: enrolled.json().secret }).generate({ timestamp: app.clock.now() })
  t.equal((await browser.call('POST', '/svc/security/api/totp/confirm', { code })).statusCode, 200)
  await browser.post('/address', { address: NEW })
  await app.post('/address/confirm', { token: tokenOf(await app.letter()) })
  const [toOld] = await app.letters()
  t.equal((await app.browser().login(NEW)).json().mfaRequired, true)
  t.equal((await app.post('/address/undo', { token: toOld === undefined ? '' : tokenOf(toOld) })).statusCode, 200)
  await app.fastify.userAccounts.setPassword(ADA, PASSWORD)
  t.match((await app.browser().login(ADA)).json(), { user: { identifier: ADA } }, 'no code is asked for')
})

t.test('a second change does not keep the first address from undoing both', async (t) => {
  const app = await AccountsApp.start(t)
  const browser = await app.signedIn()
  const change = async (from: ReturnType<AccountsApp['browser']>, to: string) => {
    await from.post('/address', { address: to })
    await app.post('/address/confirm', { token: tokenOf(await app.letter()) })
    return app.letters()
  }
  const [first] = await change(browser, 'eve1@example.net')
  const thief = app.browser()
  await thief.login('eve1@example.net')
  await change(thief, 'eve2@example.net')
  t.equal((await app.post('/address/undo', { token: first === undefined ? '' : tokenOf(first) })).statusCode, 200)
  t.match(await app.fastify.userAccounts.find(ADA), { identifier: ADA })
  t.equal(await app.fastify.userAccounts.find('eve2@example.net'), null)
})

t.test('nobody gets an address that its owner can take back', async (t) => {
  const app = await AccountsApp.start(t)
  const browser = await app.signedIn()
  await browser.post('/address', { address: NEW })
  await app.post('/address/confirm', { token: tokenOf(await app.letter()) })
  await app.letters()
  await app.post('/sign-up', { address: ADA, password: PASSWORD })
  t.match(await app.letters(), [{ to: ADA, subject: 'You have an account already' }])
  app.clock.advance(7 * 86_400_000)
  await app.post('/sign-up', { address: ADA, password: PASSWORD })
  t.match(await app.letters(), [{ to: ADA, subject: 'Confirm your address' }])
})

t.test('a taken address hears of it, and one that is taken meanwhile stays with its account', async (t) => {
  const app = await AccountsApp.start(t)
  await app.signedIn('bob@example.org')
  const browser = await app.signedIn()
  t.equal((await browser.post('/address', { address: 'bob@example.org' })).payload, '{"ok":true}')
  t.match(await app.letters(), [{ to: 'bob@example.org', subject: 'You have an account already' }])
  await browser.post('/address', { address: NEW })
  const token = tokenOf(await app.letter())
  await app.fastify.userAccounts.create({ identifier: NEW, password: OTHER_PASSWORD, roles: [] })
  const answer = await app.post('/address/confirm', { token })
  t.strictSame([answer.statusCode, answer.json().code], [409, 'SVC_ACCOUNTS_TAKEN'])
  t.match(await app.fastify.userAccounts.find(ADA), { identifier: ADA })
})

t.test('a link of an account ends with its password, and the newest of an account holds', async (t) => {
  const app = await AccountsApp.start(t)
  const browser = await app.signedIn()
  const ask = async (address: string) => {
    await browser.post('/address', { address })
    return tokenOf(await app.letter())
  }
  const first = await ask('one@example.com')
  const second = await ask('two@example.com')
  t.equal((await app.post('/address/confirm', { token: first })).statusCode, 400)
  await app.fastify.userAccounts.setPassword(ADA, OTHER_PASSWORD)
  t.equal((await app.post('/address/confirm', { token: second })).statusCode, 400)
})

t.test('who asks has a session, its token against foreign pages, and a recent proof', async (t) => {
  const app = await AccountsApp.start(t)
  const browser = await app.signedIn()
  const paths = ['/address', '/deletion', '/export', '/export/download']
  for (const path of paths) {
    const payload = path === '/address' ? { address: NEW } : path === '/export/download' ? { token: 'x' } : {}
    t.equal((await app.post(path, payload)).statusCode, 401, `${path} without a session`)
    const foreign = await app.post(path, payload, { headers: { cookie: browser.cookie } })
    t.strictSame([foreign.statusCode, foreign.json().code], [403, 'SVC_SEC_CSRF'], `${path} without the token`)
  }
  app.clock.advance(601_000)
  for (const path of paths) {
    const answer = await browser.post(path, { address: NEW, token: 'x' })
    t.strictSame([answer.statusCode, answer.json().code], [403, 'SVC_SEC_PROOF_DUE'], `${path} long after the login`)
  }
  t.strictSame(await app.letters(), [])
})
