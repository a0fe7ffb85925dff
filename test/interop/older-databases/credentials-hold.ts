/** Over HTTP: cookies, passwords, second factors, keys, tokens, signatures and kept answers of an older version hold. */
import { createPrivateKey } from 'node:crypto'
import { TOTP } from 'otpauth'
import type { ManualClock } from 'svc-stores/conformance'
import { verifyWebhook } from 'svc-webhooks'
import type { Test } from 'tap'
import { API, Browser } from '../../support/account-app.ts'
import { json } from '../../support/audited-app.ts'
import { provenPasskey } from '../../support/made-passkey.ts'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import { type OlderApp, PAGE } from './older-app.ts'
import type { OlderRecords } from './vectors.ts'

/** Of every user of the version: shorter than a new one may be. */
const HELD_PASSWORD = 'a:b:c'

export async function credentialsHold(
  t: Test,
  app: OlderApp,
  { clock, records: { held } }: { clock: ManualClock; records: OlderRecords }
): Promise<void> {
  await t.test('a session, with its content', async (t) => {
    const alice = new Browser(app.port)
    for (const [name, value] of held.cookies) alice.cookies.set(name, value)
    t.match(await alice.call('GET', '/in/who'), { status: 200, body: '{"who":"alice"}' })
    t.equal((await alice.call('GET', '/in/cart')).body, '{"cart":[1,2]}')
  })

  await t.test('a password, and the second factor', async (t) => {
    const code = () => new TOTP({ secret: held.totpSecret }).generate({ timestamp: clock.now() })
    t.equal((await app.browser().login('alice', 'wrong')).status, 401)
    const person = app.browser()
    t.match(json(await person.login('alice', HELD_PASSWORD)), { mfaRequired: true })
    clock.advance(60_000)
    t.equal((await person.post(`${API}/auth/login/totp`, { code: code() })).status, 200)
    const other = app.browser()
    await other.login('alice', HELD_PASSWORD)
    t.equal((await other.post(`${API}/auth/login/totp`, { code: held.recoveryCodes[0] })).status, 200)
    await other.login('alice', HELD_PASSWORD)
    t.equal((await other.post(`${API}/auth/login/totp`, { code: held.recoveryCodes[0] })).status, 401, 'works once')
  })

  await t.test('a passkey', async (t) => {
    const person = app.browser()
    const { challenge } = json(await person.post(`${API}/webauthn/login/options`, {}))
    const { id, userHandle, key } = held.passkey
    const facts = { challenge: String(challenge), origin: PAGE, rpId: 'shop.example', userHandle }
    const response = provenPasskey(id, createPrivateKey({ key, format: 'jwk' }), facts)
    const login = await person.post(`${API}/webauthn/login/verify`, { response })
    t.equal(login.status, 200, login.body)
    t.match(await person.call('GET', '/in/who'), { body: '{"who":"bob"}' })
  })

  await t.test('API keys and refresh tokens', async (t) => {
    t.match(await app.bearer('GET', '/api/who', held.apiKey), { status: 200, body: '{"who":"bob"}' })
    t.equal((await app.bearer('GET', '/api/who', held.revokedApiKey)).status, 401, 'revoked then, revoked now')
    const refresh = (token: unknown) => app.browser().post(`${API}/token/refresh`, { refresh_token: token })
    const next = await refresh(held.refreshToken)
    t.equal(next.status, 200)
    const { access_token, refresh_token } = json(next)
    t.match(await app.bearer('GET', '/api/who', String(access_token)), { status: 200, body: '{"who":"bob"}' })
    t.equal((await refresh(held.usedRefreshToken)).status, 401, 'rotated then: a reuse now')
    t.equal((await refresh(refresh_token)).status, 401, 'which ends the family across versions')
  })

  await t.test('the answer to a repeated request', async (t) => {
    const repeated = await app.bearer('POST', '/api/orders', held.apiKey, { 'idempotency-key': 'order-1' })
    t.match(repeated, { status: 200, body: '{"order":1}', headers: { 'idempotency-replayed': 'true' } })
  })

  await t.test('the sealed secret of an endpoint', async (t) => {
    const root = app.browser()
    await root.login('root', HELD_PASSWORD)
    const proof = await root.csrf()
    const { id, secret } = held.webhook
    t.equal(json(await root.post(`${API}/webhooks/${id}/reveal`, {}, proof)).secret, secret)
    const receiver = await WebhookReceiver.start(t)
    const moved = JSON.stringify({ url: receiver.url('/hook') })
    const headers = { 'content-type': 'application/json', ...proof }
    t.equal((await root.call('PATCH', `${API}/webhooks/${id}`, headers, moved)).status, 200)
    t.equal((await root.post(`${API}/webhooks/${id}/test`, {}, proof)).status, 202)
    await receiver.until(() => receiver.received.length > 0)
    const [message] = receiver.received
    t.ok(verifyWebhook({ secret, headers: message?.headers ?? {}, body: message?.body ?? '', now: () => clock.now() }))
  })
}
