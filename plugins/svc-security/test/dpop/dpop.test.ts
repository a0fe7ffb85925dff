/** Tokens bound to keys, from end to end: a client of another library, thieves of tokens and proofs, two instances, sockets. */
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import websocket from '@fastify/websocket'
import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { idempotencyStore } from '../../src/idempotency/idempotency-store.ts'
import type { SvcSecurityOptions } from '../../src/index.ts'
import { tokensStore } from '../../src/token-store/tokens-store.ts'
import { ALICE_PASSWORD } from '../support/accounts.ts'
import { DpopClient, type ProofOf } from '../support/dpop-client.ts'
import { echoRoute, requires, routeSecurity } from '../support/guarded-app.ts'
import { API } from '../support/login-app.ts'
import { rawUpgrade } from '../support/raw-request.ts'
import { TOKEN, tokenApp } from '../support/token-app.ts'

const alice = { username: 'alice', password: ALICE_PASSWORD }

type Jwt = NonNullable<SvcSecurityOptions['jwt']>

function shared() {
  const clock = new ManualClock(Math.floor(Date.now() / 1000) * 1000)
  return {
    clock,
    stores: { idempotency: inMemory(idempotencyStore, { clock }), tokens: inMemory(tokensStore, { clock }) }
  }
}

async function set(t: Test, jwt: Jwt = { dpop: 'allowed' }, parts = shared()) {
  const made = await tokenApp({ jwt }, parts)
  const { app } = made
  t.teardown(() => app.close())
  await app.register(websocket)
  app.get('/jwt/ws', { websocket: true, config: { svc: routeSecurity({ transports: ['WEBSOCKET'] }) } }, (socket) => {
    socket.close()
  })
  echoRoute(app, '/jwt/fresh', { requirement: requires('FRESH(300)') })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const { clock } = parts
  const send = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await fetch(origin + path, { method, headers: { ...headers, ...type }, ...sent })
    const text = await answer.text()
    const given = (text === '' ? {} : JSON.parse(text)) as Record<string, string>
    const challenge = answer.headers.get('www-authenticate')
    return { status: answer.status, body: given, challenge, nonce: answer.headers.get('dpop-nonce') }
  }
  const proofOf = (client: DpopClient, given: Partial<ProofOf> & { path: string }) =>
    client.proof({ now: clock.now(), url: origin + given.path, ...given })
  const ask = async (client: DpopClient | null, path: string, body: object, given: Partial<ProofOf> = {}) => {
    const proof = client === null ? null : await proofOf(client, { path, method: 'POST', ...given })
    return send('POST', path, proof === null ? {} : { dpop: proof }, body)
  }
  const show = async (client: DpopClient, accessToken: string, path = '/jwt', given: Partial<ProofOf> = {}) => {
    const dpop = await proofOf(client, { path, accessToken, ...given })
    return send('GET', path, { authorization: `DPoP ${accessToken}`, dpop })
  }
  const grant = async (client: DpopClient | null) => {
    const { body } = await ask(client, TOKEN, alice)
    return { access: body.access_token ?? '', refresh: body.refresh_token ?? '', type: body.token_type }
  }
  const renew = (client: DpopClient | null, refresh_token: string) => ask(client, `${TOKEN}/refresh`, { refresh_token })
  return { ...made, origin, clock, parts, send, ask, show, grant, renew, proofOf }
}

t.test('a token is bound to the key of its caller, and holds with its proof alone', async (t) => {
  const { send, show, grant, proofOf, records, call } = await set(t)
  const [client, thief] = [await DpopClient.make(), await DpopClient.make()]
  const { access, type } = await grant(client)
  t.equal(type, 'DPoP')
  t.strictSame(decodeJwt(access).cnf, { jkt: client.jkt })
  t.match(records.at(-1), { action: 'token.issued', metadata: { jkt: client.jkt } })
  t.match(await show(client, access), { status: 200, body: { who: 'alice', proof: 'jwt' } })

  const algs = 'algs="ES256 EdDSA"'
  // JWT-58
  const downgraded = await call('GET', '/jwt', undefined, access)
  t.strictSame([downgraded.status, downgraded.headers['www-authenticate']], [401, `Bearer, DPoP ${algs}`], 'as bearer')
  t.match(records.at(-1), { action: 'auth.failure', actor: null, reason: 'cnf' })
  t.match(await show(thief, access), { status: 401, challenge: `Bearer, DPoP ${algs}` }, 'with another key')
  const refused = {
    status: 401,
    body: { message: 'INVALID_TOKEN' },
    challenge: `DPoP error="invalid_dpop_proof", ${algs}`
  }
  t.match(await send('GET', '/jwt', { authorization: `DPoP ${access}` }), refused, 'without a proof')
  t.match(await show(client, access, '/jwt', { method: 'POST' }), refused, 'a proof of another method')
  t.match(await show(client, access, '/jwt', { url: 'http://evil.example/jwt' }), refused, 'of another URL')
  t.match(records.at(-1), { action: 'auth.failure', reason: 'htu' })
  const { access: other } = await grant(client)
  const proof = await proofOf(client, { path: '/jwt', accessToken: other })
  t.match(await send('GET', '/jwt', { authorization: `DPoP ${access}`, dpop: proof }), refused, 'of another token')
  const once = await proofOf(client, { path: '/jwt', accessToken: access })
  const again = { authorization: `DPoP ${access}`, dpop: once }
  t.equal((await send('GET', '/jwt', again)).status, 200)
  t.match(await send('GET', '/jwt', again), refused, 'of a request before')
  t.match(records.at(-1), { reason: 'replayed' })
  t.notMatch(JSON.stringify(records), once.split('.')[2], 'no record contains a proof')
})

t.test('a token that is bound to no key goes on by Bearer, and by nothing else', async (t) => {
  const { grant, call, show, ask } = await set(t)
  const { access, type } = await grant(null)
  t.equal(type, 'Bearer')
  t.equal((await call('GET', '/jwt', undefined, access)).status, 200)
  t.equal((await show(await DpopClient.make(), access)).status, 401, 'a key that nothing names')
  const bent = await ask(await DpopClient.make(), TOKEN, alice, { method: 'PUT' })
  t.match(bent, { status: 400, body: { code: 'SVC_SEC_DPOP_PROOF' } }, 'a proof that does not hold is no missing one')
})

t.test('who has to prove more is asked by the scheme that the token came with', async (t) => {
  const { grant, show, call, clock } = await set(t)
  const client = await DpopClient.make()
  const [bound, plain] = [await grant(client), await grant(null)]
  t.equal((await show(client, bound.access, '/jwt/fresh')).status, 200)
  clock.advance(301_000)
  const asked = 'error="insufficient_user_authentication"'
  const { status, challenge } = await show(client, bound.access, '/jwt/fresh')
  t.equal(status, 401)
  t.ok(challenge?.startsWith(`DPoP ${asked}`), String(challenge))
  t.match(challenge, 'max_age="300"')
  const { headers } = await call('GET', '/jwt/fresh', undefined, plain.access)
  t.ok(String(headers['www-authenticate']).startsWith(`Bearer ${asked}`))
})

t.test('off, the header says nothing, and a bound token does not hold', async (t) => {
  const parts = shared()
  const { grant } = await set(t, { dpop: 'allowed' }, parts)
  const off = await set(t, {}, parts)
  const client = await DpopClient.make()
  const { access, refresh } = await grant(client)
  t.equal((await off.call('GET', '/jwt', undefined, access)).status, 401)
  t.equal((await off.show(client, access)).status, 401)
  t.equal((await off.renew(client, refresh)).status, 401)
  t.equal((await off.grant(client)).type, 'Bearer')
})

t.test('required, there is no other token', async (t) => {
  const parts = shared()
  const { grant: before } = await set(t, {}, parts)
  const { access, refresh } = await before(null)
  const { call, ask, show, renew, grant, app } = await set(t, { dpop: 'required' }, parts)
  const challenge = 'DPoP algs="ES256 EdDSA"'
  t.match(await ask(null, TOKEN, alice), { status: 400, body: { code: 'SVC_SEC_DPOP_PROOF' } })
  t.match(await call('GET', '/jwt', undefined, access), { status: 401, headers: { 'www-authenticate': challenge } })
  t.equal((await renew(null, refresh)).status, 400)
  await t.rejects(app.tokens.issue({ identifier: 'alice' }), { code: 'SVC_SEC_DPOP_PROOF' })
  const client = await DpopClient.make()
  const bound = await renew(client, refresh)
  t.match(bound, { status: 200, body: { token_type: 'DPoP' } }, 'a login from before is bound when it is renewed')
  t.equal((await show(client, bound.body.access_token ?? '')).status, 200)
  t.equal((await show(client, (await grant(client)).access)).status, 200)
})

t.test('a refresh token that was stolen is worth nothing without the key, and ends nothing', async (t) => {
  const { grant, renew, show, records } = await set(t, { dpop: 'allowed', refreshGraceS: 10 })
  const [client, thief] = [await DpopClient.make('EdDSA'), await DpopClient.make('EdDSA')]
  const { refresh } = await grant(client)
  for (const stranger of [null, thief]) {
    t.match(await renew(stranger, refresh), { status: 401, body: { message: 'INVALID_TOKEN' } })
    t.match(records.at(-1), { action: 'auth.failure', reason: 'key' })
  }
  const next = await renew(client, refresh)
  t.equal(next.status, 200)
  t.equal((await renew(thief, refresh)).status, 401, 'nor one that was replaced')
  t.equal((await show(client, next.body.access_token ?? '')).status, 200, 'the login of its owner goes on')

  const lost = await renew(client, refresh)
  t.strictSame([lost.status, lost.body.refresh_token], [200, next.body.refresh_token], 'an answer that was lost')
  const third = await renew(client, next.body.refresh_token ?? '')
  t.equal((await renew(client, refresh)).status, 401, 'two generations back')
  t.match(
    records.find(({ action }) => action === 'token.reuse_detected'),
    { actor: 'alice' }
  )
  t.equal((await renew(client, third.body.refresh_token ?? '')).status, 401, 'ends the family')
  t.equal((await show(client, third.body.access_token ?? '')).status, 401)
})

t.test('two pages that renew at once with their key get one successor', async (t) => {
  const { grant, renew, show } = await set(t, { dpop: 'allowed', refreshGraceS: 10 })
  const client = await DpopClient.make()
  const { refresh } = await grant(client)
  const answers = await Promise.all([renew(client, refresh), renew(client, refresh), renew(client, refresh)])
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]))
  t.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 1)
  for (const { body } of answers) t.equal((await show(client, body.access_token ?? '')).status, 200)
})

t.test('a login that is bound at its renewal stays so, within the grace too', async (t) => {
  const { grant, renew } = await set(t, { dpop: 'allowed', refreshGraceS: 10 })
  const client = await DpopClient.make()
  const { refresh } = await grant(null)
  const next = await renew(client, refresh)
  t.equal(next.body.token_type, 'DPoP')
  t.equal((await renew(null, refresh)).status, 401, 'the successor has a key')
  t.equal((await renew(client, refresh)).body.refresh_token, next.body.refresh_token)
  t.equal((await renew(null, next.body.refresh_token ?? '')).status, 401)
})

t.test('what one instance has seen, the other does not take', async (t) => {
  const parts = shared()
  const origins = { dpop: 'allowed', dpopOrigins: ['https://shop.example'] } as const
  const [one, two] = [await set(t, origins, parts), await set(t, origins, parts)]
  const client = await DpopClient.make()
  const url = `https://shop.example${TOKEN}`
  const { body } = await one.ask(client, TOKEN, alice, { url })
  const accessToken = body.access_token ?? ''
  const dpop = await one.proofOf(client, { path: '/jwt', url: 'https://shop.example/jwt', accessToken })
  const headers = { authorization: `DPoP ${accessToken}`, dpop }
  const answers = await Promise.all([one, two, one, two].map(({ send }) => send('GET', '/jwt', headers)))
  t.same(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
  const login = await one.proofOf(client, { path: TOKEN, url, method: 'POST' })
  t.equal((await two.send('POST', TOKEN, { dpop: login }, alice)).status, 200)
  t.match(await one.send('POST', TOKEN, { dpop: login }, alice), { status: 400, body: { code: 'SVC_SEC_DPOP_PROOF' } })
  t.match(one.records.at(-1), { action: 'auth.failure', reason: 'replayed' })
})

t.test('strangers write nothing: a proof is remembered when its token holds', async (t) => {
  const parts = shared()
  const begun: string[] = []
  const { idempotency } = parts.stores
  const begin = idempotency.begin.bind(idempotency)
  idempotency.begin = (id, ...more) => {
    begun.push(id)
    return begin(id, ...more)
  }
  const { show, ask, renew, grant } = await set(t, { dpop: 'allowed' }, parts)
  const client = await DpopClient.make()
  t.equal((await show(client, 'a.b.c')).status, 401)
  t.equal((await ask(client, TOKEN, { ...alice, password: 'wrong' })).status, 401)
  t.equal((await renew(client, `rt_${randomBytes(32).toString('base64url')}`)).status, 401)
  t.equal(begun.length, 0)
  await grant(client)
  t.equal(begun.length, 1)
})

t.test('a client of another library: it takes the nonce and comes again', async (t) => {
  const { origin, ask, grant, clock } = await set(t, { dpop: 'required', dpopNonceS: 60 })
  const keys = await oauth.generateKeyPair('ES256', { extractable: true })
  const handle = oauth.DPoP({ client_id: 'app' } as never, keys)
  const own = await DpopClient.make()
  const due = await ask(own, TOKEN, alice)
  t.match(due, { status: 400, body: { code: 'SVC_SEC_DPOP_NONCE' } })
  const issued = await ask(own, TOKEN, alice, { nonce: due.nonce ?? '' })
  t.strictSame([issued.status, issued.nonce], [200, due.nonce], 'an answer brings the nonce too')
  t.equal((await grant(own)).type, undefined, 'each proof needs it')

  const [insecure, DPoP] = [{ [oauth.allowInsecureRequests]: true }, handle]
  const request = (accessToken: string, method: string, path: string, body?: string) => {
    const headers = new Headers(body === undefined ? {} : { 'content-type': 'application/json' })
    return oauth.protectedResourceRequest(accessToken, method, new URL(origin + path), headers, body, {
      ...insecure,
      DPoP
    })
  }
  // Its proof is that of a protected resource, with an access token; the token endpoint looks at the proof alone.
  const login = () => request('none', 'POST', TOKEN, JSON.stringify(alice))
  const first = await login()
  t.equal(first.status, 400, 'it has no nonce yet, and keeps the one of this answer')
  const { access_token } = (await (await login()).json()) as { access_token: string }
  t.same(await handle.calculateThumbprint(), (decodeJwt(access_token).cnf as { jkt: string }).jkt)
  t.equal((await request(access_token, 'GET', '/jwt?page=1')).status, 200)
  clock.advance(120_000)
  const error = await request(access_token, 'GET', '/jwt').catch((thrown: unknown) => thrown)
  t.ok(oauth.isDPoPNonceError(error), 'an old nonce is refused as RFC 9449, 9 says')
  t.equal((await request(access_token, 'GET', '/jwt')).status, 200)
})

t.test('a socket is opened with a proof, and lives as long as its token', async (t) => {
  const { app, grant, proofOf } = await set(t)
  const client = await DpopClient.make()
  const { access } = await grant(client)
  const authorization = `Authorization: DPoP ${access}`
  const dpop = await proofOf(client, { path: '/jwt/ws', accessToken: access })
  t.equal((await rawUpgrade(app, '/jwt/ws', [authorization, `DPoP: ${dpop}`])).status, 101)
  t.equal((await rawUpgrade(app, '/jwt/ws', [authorization, `DPoP: ${dpop}`])).status, 401, 'once')
  t.equal((await rawUpgrade(app, '/jwt/ws', [authorization])).status, 401)
  t.equal((await rawUpgrade(app, '/jwt/ws', [`Authorization: Bearer ${access}`])).status, 401)
  const two = await proofOf(client, { path: '/jwt/ws', accessToken: access })
  t.equal((await rawUpgrade(app, '/jwt/ws', [authorization, `DPoP: ${two}`, `DPoP: ${two}`])).status, 401)
})

t.test('whoever has a bound token may revoke it', async (t) => {
  const { grant, show, call } = await set(t)
  const client = await DpopClient.make()
  const { access } = await grant(client)
  t.equal((await call('POST', `${API}/token/revoke`, { token: access })).status, 200)
  t.equal((await show(client, access)).status, 401)
})
