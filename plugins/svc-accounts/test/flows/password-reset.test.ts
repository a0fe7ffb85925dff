/** Reset of a password, and who must not get one. */
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { AccountsApp, ADA, OTHER_PASSWORD, PASSWORD, tokenOf } from '../support/accounts-app.ts'

async function resetLink(app: AccountsApp, address = ADA): Promise<string> {
  await app.post('/reset', { address })
  return tokenOf(await app.letter())
}

t.test('a reset sets the password once, ends every session, and the owner hears of it', async (t) => {
  const app = await AccountsApp.start(t)
  const browser = await app.signedIn()
  const token = await resetLink(app)
  const weak = await app.post('/reset/complete', { token, password: 'short' })
  t.equal(weak.json().code, 'SVC_SEC_PASSWORD', 'a password that is refused uses no link up')
  t.equal((await app.post('/reset/complete', { token, password: OTHER_PASSWORD })).statusCode, 200)
  t.match(await app.letters(), [{ to: ADA, subject: 'Your password was changed' }])
  t.equal((await browser.me()).statusCode, 401)
  t.equal((await app.browser().login(ADA, PASSWORD)).statusCode, 401)
  t.equal((await app.browser().login(ADA, OTHER_PASSWORD)).statusCode, 200)
  t.match(await app.post('/reset/complete', { token, password: PASSWORD }), { statusCode: 400 })
  t.match(app.events('account.reset'), [{ resource: ADA }])
})

t.test('of two resets at once, the newest link holds; of two uses at once, one', async (t) => {
  const app = await AccountsApp.start(t)
  await app.signedIn()
  await Promise.all([app.post('/reset', { address: ADA }), app.post('/reset', { address: ADA })])
  const tokens = (await app.letters()).map(tokenOf)
  t.equal(tokens.length, 2)
  const uses = [...tokens, ...tokens].map((token, index) => {
    return app.post('/reset/complete', { token, password: `${OTHER_PASSWORD} ${index}` })
  })
  const statuses = (await Promise.all(uses)).map(({ statusCode }) => statusCode)
  t.strictSame(statuses.sort(), [200, 400, 400, 400])
})

t.test('a link ends with the password, the address, the lock and the account', async (t) => {
  const rows: Readonly<Record<string, (app: AccountsApp) => Promise<unknown>>> = {
    password: ({ fastify }) => fastify.userAccounts.setPassword(ADA, OTHER_PASSWORD),
    address: ({ fastify }) => fastify.userAccounts.rename(ADA, 'ada@example.com'),
    lock: ({ fastify }) => fastify.userAccounts.setLocked(ADA, true),
    account: ({ fastify }) => fastify.userAccounts.remove(ADA),
    time: async ({ clock }) => clock.advance(3_600_000)
  }
  for (const [name, change] of Object.entries(rows)) {
    const app = await AccountsApp.start(t)
    await app.signedIn()
    const token = await resetLink(app)
    await change(app)
    const answer = await app.post('/reset/complete', { token, password: OTHER_PASSWORD })
    t.strictSame([answer.statusCode, answer.json().code], [400, 'SVC_ACCOUNTS_TOKEN'], name)
  }
})

t.test('a link does for its purpose alone, and a text that is no token for none', async (t) => {
  const app = await AccountsApp.start(t)
  await app.signedIn()
  const token = await resetLink(app)
  for (const path of ['/address/confirm', '/address/undo', '/deletion/cancel-by-link']) {
    t.equal((await app.post(path, { token })).statusCode, 400, path)
  }
  for (const path of ['/verify', '/invitations/accept']) {
    t.equal((await app.post(path, { token, password: OTHER_PASSWORD })).statusCode, 400, path)
  }
  for (const strange of ['x', '\u0000', '🦊', '__proto__', 'a'.repeat(100)]) {
    t.equal((await app.post('/reset/complete', { token: strange, password: OTHER_PASSWORD })).statusCode, 400)
  }
  t.equal((await app.post('/reset/complete', { token, password: OTHER_PASSWORD })).statusCode, 200)
})

t.test('a locked account, one that is switched off and none get no link', async (t) => {
  const app = await AccountsApp.start(t)
  await app.signedIn()
  await app.fastify.userAccounts.setLocked(ADA, true)
  for (const address of [ADA, 'nobody@example.org', 'ADA@example.org']) {
    t.equal((await app.post('/reset', { address })).statusCode, 202)
  }
  t.strictSame(await app.letters(), [])
})

t.test('a second factor stays asked for', async (t) => {
  const app = await AccountsApp.start(t, {
    security: { totp: { encryptionKey: Buffer.alloc(32, 7).toString('base64') } }
  })
  const browser = await app.signedIn()
  const { secret } = (await browser.call('POST', '/svc/security/api/totp/enroll')).json()

  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now() })
  t.equal((await browser.call('POST', '/svc/security/api/totp/confirm', { code })).statusCode, 200)
  const token = await resetLink(app)
  t.equal((await app.post('/reset/complete', { token, password: OTHER_PASSWORD })).statusCode, 200)
  t.match((await app.browser().login(ADA, OTHER_PASSWORD)).json(), { mfaRequired: true, methods: ['totp'] })
})
