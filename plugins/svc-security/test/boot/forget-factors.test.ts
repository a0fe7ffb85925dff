/** What was enrolled is forgotten where an account is taken back, also by two who take it back at once. */
import t from 'tap'
import { keptUsersApp, ORIGIN, PASSWORD } from '../support/kept-users-app.ts'
import { Browser } from '../support/login-app.ts'
import { SoftAuthenticator } from '../support/soft-authenticator.ts'

t.test('codes and passkeys go once, whoever else removes them meanwhile', async (t) => {
  const { app, clock, browserOf } = await keptUsersApp(t)
  const alice = await browserOf('alice')
  await alice.enrolCodes(clock)
  for (const _ of [1, 2, 3]) {
    const passkey = new SoftAuthenticator(ORIGIN, 'localhost')
    const { challenge } = (await alice.change('POST', '/webauthn/register/options')).json<{ challenge: string }>()
    const made = await alice.change('POST', '/webauthn/register/verify', { response: passkey.create(challenge) })
    t.equal(made.statusCode, 201, made.body)
  }
  const login = () => new Browser(app).login('alice', PASSWORD)
  t.match((await login()).json(), { mfaRequired: true })
  const endings = Array.from({ length: 4 }, () => app.userAccounts.endEverything('alice', 'test', { factors: true }))
  t.strictSame(await Promise.all(endings), [undefined, undefined, undefined, undefined], 'none of them fails')
  t.match((await login()).json(), { user: { identifier: 'alice' } }, 'no factor is asked for')
  const again = await browserOf('alice')
  t.strictSame((await again.call('GET', '/svc/security/api/webauthn/credentials')).json().credentials, [])
})
