/** Export of one's own data: whole, once, for its owner alone. */
import t from 'tap'
import { AccountsApp, ADA, OTHER_PASSWORD, tokenOf } from '../support/accounts-app.ts'

const orders = { export: ({ id, identifier }: { id: string; identifier: string }) => [{ of: id, by: identifier }] }

t.test('the archive has every part, no secret, and is downloaded once', async (t) => {
  const app = await AccountsApp.start(t, { described: { orders } })
  const browser = await app.signedIn()
  t.equal((await browser.post('/export')).statusCode, 202)
  const letter = await app.letter()
  t.match(letter, { to: ADA, subject: 'Your data can be downloaded' })
  const token = tokenOf(letter)
  const answer = await browser.post('/export/download', { token })
  t.match(answer, {
    statusCode: 200,
    headers: { 'content-disposition': 'attachment; filename="account.json"', 'cache-control': 'no-store' }
  })
  const archive = answer.json()
  const { id } = (await app.fastify.userAccounts.find(ADA)) ?? {}
  t.strictSame(Object.keys(archive).sort(), ['account', 'orders', 'sessions'])
  t.match(archive.account, { id, identifier: ADA, verifiedAt: app.clock.now(), locale: null })
  t.strictSame(archive.orders, [{ of: id, by: ADA }])
  t.match(archive.sessions, [{ ip: '127.0.0.1' }])
  t.notMatch(answer.payload, /argon2|password/)
  t.equal((await browser.post('/export/download', { token })).statusCode, 400)
  t.strictSame([app.events('account.export_requested').length, app.events('account.exported').length], [1, 1])
})

t.test('the archive of another account is not downloaded, and stays', async (t) => {
  const app = await AccountsApp.start(t)
  const browser = await app.signedIn()
  const other = await app.signedIn('eve@example.net')
  await browser.post('/export')
  const token = tokenOf(await app.letter())
  const foreign = await other.post('/export/download', { token })
  t.strictSame([foreign.statusCode, foreign.json().code], [400, 'SVC_ACCOUNTS_TOKEN'])
  t.equal((await browser.post('/export/download', { token })).statusCode, 200)
})

t.test('the archive ends with its hours, and with the password', async (t) => {
  for (const end of [
    async ({ clock }: AccountsApp) => clock.advance(86_400_000),
    ({ fastify }: AccountsApp) => fastify.userAccounts.setPassword(ADA, OTHER_PASSWORD)
  ]) {
    const app = await AccountsApp.start(t)
    const browser = await app.signedIn()
    await browser.post('/export')
    const token = tokenOf(await app.letter())
    await end(app)
    const again = app.browser()
    await again.login()
    await again.login(ADA, OTHER_PASSWORD)
    t.equal((await again.post('/export/download', { token })).statusCode, 400)
  }
})

t.test('what is too large, or a part that fails, fails its job and sends nothing', async (t) => {
  const app = await AccountsApp.start(t, {
    options: { signUp: {}, export: { maxBytes: 1000 } },
    described: { orders: { export: () => 'a'.repeat(1000) } }
  })
  const browser = await app.signedIn()
  await browser.post('/export')
  const [attempt] = await app.fastify.jobs.drain()
  t.match(attempt, { name: 'svc.accounts.export', reason: 'export.maxBytes is 1000' })
  t.strictSame(app.fastify.mail.outbox.list(), [])
})

t.test('a part has a name of its own', async (t) => {
  const app = await AccountsApp.start(t, { described: { orders } })
  t.throws(() => app.fastify.accounts.describe('orders', orders), { code: 'SVC_ACCOUNTS_PART' })
})
