/** What was enrolled is forgotten where an account is taken back, also by two who take it back at once. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { passkeysStore } from '../../src/factors/passkeys/passkeys-store.ts'
import { totpStore } from '../../src/factors/totp/totp-store.ts'
import { codeOf, keptUsersApp, ORIGIN, PASSWORD } from '../support/kept-users-app.ts'
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

t.test('what is enrolled by a request that was under way does not outlast its session', async (t) => {
  const options = { clock: new ManualClock() }
  const [totp, passkeys] = [inMemory(totpStore, options), inMemory(passkeysStore, options)]
  /** Called once, before the next factor is stored. */
  let meanwhile: (() => Promise<void>) | null = null
  const late = async () => {
    const work = meanwhile
    meanwhile = null
    await work?.()
  }
  const [confirm, save] = [totp.confirm.bind(totp), passkeys.save.bind(passkeys)]
  totp.confirm = async (...given) => late().then(() => confirm(...given))
  passkeys.save = async (...given) => late().then(() => save(...given))
  const { app, clock, browserOf } = await keptUsersApp(t, {}, { stores: { totp, passkeys } })
  const takenBack = async () => {
    await app.userAccounts.setPassword('alice', null)
    await app.userAccounts.endEverything('alice', 'address_restored')
  }

  const byCode = await browserOf('alice')
  const { secret } = (await byCode.change('POST', '/totp/enroll')).json<{ secret: string }>()
  meanwhile = takenBack
  const confirmed = await byCode.change('POST', '/totp/confirm', { code: codeOf(secret, clock) })
  t.match(confirmed.json(), { statusCode: 401, code: 'SVC_SEC_SESSION' })

  await app.userAccounts.setPassword('alice', PASSWORD)
  const byPasskey = await browserOf('alice')
  const passkey = new SoftAuthenticator(ORIGIN, 'localhost')
  const { challenge } = (await byPasskey.change('POST', '/webauthn/register/options')).json<{ challenge: string }>()
  meanwhile = takenBack
  const made = await byPasskey.change('POST', '/webauthn/register/verify', { response: passkey.create(challenge) })
  t.match(made.json(), { statusCode: 401, code: 'SVC_SEC_SESSION' })

  await app.userAccounts.setPassword('alice', PASSWORD)
  t.match((await new Browser(app).login('alice', PASSWORD)).json(), { user: { identifier: 'alice' } }, 'no code is due')
  const again = await browserOf('alice')
  t.strictSame((await again.call('GET', '/svc/security/api/webauthn/credentials')).json().credentials, [])
})
