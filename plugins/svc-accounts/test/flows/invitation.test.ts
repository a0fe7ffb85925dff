/** Invitations: by administrators and by a call, accepted once, by who has the mail. */
import t from 'tap'
import { AccountsApp, ADA, OTHER_PASSWORD, PASSWORD, tokenOf } from '../support/accounts-app.ts'

const API = '/svc/accounts/api/invitations'

async function administrator(app: AccountsApp) {
  await app.fastify.userAccounts.create({ identifier: 'root', password: PASSWORD, roles: ['ROLE_SVC_ADMIN'] })
  const browser = app.browser()
  await browser.login('root')
  return browser
}

t.test('an administrator invites; who accepts has the roles, and the address is proven', async (t) => {
  const app = await AccountsApp.start(t)
  const root = await administrator(app)
  const invited = await root.call('POST', API, { address: 'ada@EXAMPLE.org', roles: ['ROLE_BUYER'], locale: 'de' })
  t.equal(invited.statusCode, 202)
  const letter = await app.letter()
  t.match(letter, { to: ADA, subject: 'Sie sind eingeladen' })
  const { invitations } = (await root.call('GET', API)).json()
  t.match(invitations, [{ address: ADA, roles: ['ROLE_BUYER'], invitedAt: app.clock.now() }])
  const token = tokenOf(letter)
  const weak = await app.post('/invitations/accept', { token, password: 'short' })
  t.equal(weak.json().code, 'SVC_SEC_PASSWORD')
  t.strictSame((await app.post('/invitations/accept', { token, password: PASSWORD })).json(), { identifier: ADA })
  t.equal((await app.post('/invitations/accept', { token, password: OTHER_PASSWORD })).statusCode, 400)
  const browser = app.browser()
  t.match((await browser.login()).json(), { user: { identifier: ADA, roles: ['ROLE_BUYER'] } })
  t.match((await browser.me()).json(), { verified: true })
  t.strictSame((await root.call('GET', API)).json(), { invitations: [] })
  t.match(app.events('account.invited'), [{ actor: 'root', resource: ADA, metadata: { roles: ['ROLE_BUYER'] } }])
  t.match(app.events('account.accepted'), [{ resource: ADA }])
  const taken = await root.call('POST', API, { address: ADA, roles: [] })
  t.strictSame([taken.statusCode, taken.json().code], [409, 'SVC_ACCOUNTS_TAKEN'])
})

t.test('a revoked invitation, an older one and one that is over do nothing', async (t) => {
  const app = await AccountsApp.start(t)
  const root = await administrator(app)
  const invite = async () => {
    await app.fastify.accounts.invite({ address: ADA, roles: [] })
    return tokenOf(await app.letter())
  }
  const accept = (token: string) => app.post('/invitations/accept', { token, password: PASSWORD })
  const first = await invite()
  const second = await invite()
  t.equal((await accept(first)).statusCode, 400)
  const [{ ref }] = (await root.call('GET', API)).json().invitations
  t.equal((await root.call('POST', `${API}/${ref}/revoke`)).statusCode, 200)
  t.equal((await root.call('POST', `${API}/${ref}/revoke`)).statusCode, 404)
  t.equal((await accept(second)).statusCode, 400)
  t.match(app.events('account.invitation_revoked'), [{ actor: 'root', resource: ADA }])
  const third = await invite()
  app.clock.advance(7 * 86_400_000)
  t.equal((await accept(third)).statusCode, 400)
})

t.test('an invitation gives no roles to an account that is there by then', async (t) => {
  const app = await AccountsApp.start(t)
  await app.fastify.accounts.invite({ address: ADA, roles: ['ROLE_SVC_ADMIN'] })
  const token = tokenOf(await app.letter())
  await app.signedIn()
  const answer = await app.post('/invitations/accept', { token, password: OTHER_PASSWORD })
  t.strictSame([answer.statusCode, answer.json().code], [409, 'SVC_ACCOUNTS_TAKEN'])
  t.strictSame((await app.fastify.userAccounts.find(ADA))?.roles, [])
  t.equal((await app.browser().login(ADA, PASSWORD)).statusCode, 200)
})

t.test('nobody but an administrator lists, invites or revokes', async (t) => {
  const app = await AccountsApp.start(t)
  const browser = await app.signedIn()
  t.equal((await app.fastify.inject({ url: API })).statusCode, 401)
  t.equal((await browser.call('GET', API)).statusCode, 403)
  t.equal((await browser.call('POST', API, { address: 'a@example.org', roles: ['ROLE_SVC_ADMIN'] })).statusCode, 403)
  t.equal((await browser.call('POST', `${API}/${'a'.repeat(43)}/revoke`)).statusCode, 403)
  t.strictSame(await app.letters(), [])
})

t.test('who invites was proven a short while ago', async (t) => {
  const app = await AccountsApp.start(t)
  const root = await administrator(app)
  app.clock.advance(601_000)
  const answer = await root.call('POST', API, { address: ADA, roles: [] })
  t.strictSame([answer.statusCode, answer.json().code], [403, 'SVC_SEC_PROOF_DUE'])
  t.equal((await root.call('GET', API)).statusCode, 200)
  await root.login('root')
  t.equal((await root.call('POST', API, { address: ADA, roles: [] })).statusCode, 202)
})

t.test('a machine invites no administrator, and gives no role that its user lacks', async (t) => {
  const app = await AccountsApp.start(t, { security: { apiKeys: {}, declaredRoles: ['ROLE_BUYER', 'ROLE_SELLER'] } })
  const { fastify } = app
  await fastify.userAccounts.create({ identifier: 'root', password: PASSWORD, roles: ['ROLE_SVC_ADMIN'] })
  const { token } = await fastify.tokens.apiKeys.create('root', { name: 'script', scopes: ['svc:admin'] })
  const headers = { authorization: `Bearer ${token}` }
  const invite = async (...roles: string[]) => {
    const answer = await fastify.inject({ method: 'POST', url: API, headers, payload: { address: ADA, roles } })
    return [answer.statusCode, answer.json().code]
  }
  t.strictSame(await invite('ROLE_SVC_ADMIN'), [403, 'SVC_SEC_BEYOND'])
  t.strictSame(await invite('ROLE_SELLER'), [403, 'SVC_SEC_BEYOND'])
  t.strictSame(await invite('ROLE_SELER'), [400, 'SVC_SEC_ROLE_UNKNOWN'])
  t.strictSame(await invite(), [202, undefined])
  t.equal((await app.letters()).length, 1)
})
