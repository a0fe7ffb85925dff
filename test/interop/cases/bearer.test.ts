/** Area `bearer`: where a credential is read, and which authenticator of a zone decides (RFC 6750). */
import type { Test } from 'tap'
import { rawExchange, rawRequest } from '../../support/raw-http.ts'
import { securityCase } from './security-case.ts'
import { SCOPE, type TokenApp, tokenApp } from './token-app.ts'

async function signedIn(t: Test, given: Parameters<typeof tokenApp>[1] = {}) {
  const app = await tokenApp(t, given)
  const { access_token: token } = await app.issue()
  await app.book.add('bob')
  const browser = app.browser()
  await browser.login('bob')
  app.records.length = 0
  return { ...app, token, cookie: browser.cookie, spoilt: `${token.slice(0, -4)}AAAA` }
}

securityCase('BEA-01', async (t) => {
  const { ask, token } = await signedIn(t)
  for (const scheme of ['bearer', 'BEARER', 'Bearer', 'bEaReR']) {
    const answer = await ask('/jwt/who', { authorization: `${scheme} ${token}` })
    t.match(JSON.parse(answer.body), { who: 'alice' }, scheme)
  }
})

securityCase(
  'BEA-02',
  async (t) => {
    const { ask, token } = await signedIn(t)
    for (const blank of ['  ', '\t', ' \t', '\t ', '', '\u00a0', '%20', '+']) {
      const answer = await ask('/jwt/who', { authorization: `Bearer${blank}${token}` })
      t.equal(answer.status, 401, JSON.stringify(blank))
    }
    t.equal((await ask('/jwt/who', { authorization: `  Bearer ${token}  ` })).status, 200, 'HTTP trims a value')
  },
  '401: one blank and nothing else'
)

securityCase('BEA-04', async (t) => {
  const { ask, token, spoilt, records } = await signedIn(t)
  for (const pair of [
    [token, spoilt],
    [spoilt, token],
    [token, token]
  ]) {
    const answer = await ask('/jwt/who', { authorization: pair.map((value) => `Bearer ${value}`) })
    t.equal(answer.status, 401)
    t.match(records.at(-1), { action: 'auth.failure', reason: 'SVC_SEC_AMBIGUOUS' })
  }
  const mixed = await ask('/both/who', { authorization: [`Bearer ${token}`, 'Basic YWxpY2U6eA=='] })
  t.equal(mixed.status, 401, 'of two kinds too')
})

securityCase('BEA-05', async (t) => {
  const { ask, token } = await signedIn(t)
  for (const value of [
    `Basic x, Bearer ${token}`,
    `Bearer ${token}, Basic x`,
    `Bearer ${token},`,
    `Bearer a, ${token}`
  ]) {
    t.equal((await ask('/jwt/who', { authorization: value })).status, 401, value.slice(0, 20))
  }
})

securityCase('BEA-07', async (t) => {
  const { ask, browser, port, token } = await signedIn(t)
  const form = `access_token=${token}`
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  t.equal((await rawExchange(port, rawRequest('POST', '/jwt/who', type, form))).status, 401)
  t.equal((await browser().post('/jwt/who', { access_token: token })).status, 401, 'nor in JSON')
  t.equal((await ask(`/jwt/who?${form}`)).status, 401, 'nor in the query')
  t.equal((await ask('/jwt/who', { cookie: form })).status, 401, 'nor in a cookie')
  t.equal(
    (await ask('/jwt/who', { 'x-access-token': token, 'x-forwarded-authorization': `Bearer ${token}` })).status,
    401
  )
})

securityCase(
  'BEA-08',
  async (t) => {
    const { ask, cookie, token, records } = await signedIn(t)
    const answer = await ask('/any/who', { cookie, authorization: `Bearer ${token}` })
    t.match(JSON.parse(answer.body), { who: 'bob', type: 'session', jti: null })
    const alone = await ask('/any/who', { authorization: `Bearer ${token}` })
    t.match(JSON.parse(alone.body), { who: 'alice', type: 'jwt' })
    t.strictSame(records, [])
  },
  'the first listed authenticator that claims the request: the session; what is granted is not in the audit'
)

securityCase('BEA-09', async (t) => {
  const { ask, cookie, calls, spoilt, records } = await signedIn(t)
  calls.isDenied = 0
  const answer = await ask('/any/who', { cookie, authorization: `Bearer ${spoilt}` })
  t.match(JSON.parse(answer.body), { who: 'bob', type: 'session', jti: null })
  t.strictSame(records, [])
  t.equal(calls.isDenied, 0)
})

securityCase('BEA-11', async (t) => {
  const { present, calls, spoilt, records } = await signedIn(t)
  const answer = await present(spoilt, '/any/who')
  t.equal(answer.status, 401)
  t.match(answer.body, /INVALID_TOKEN/)
  t.match(records, [{ reason: 'invalid_signature', metadata: { authenticator: 'jwt', zone: 'any' } }])
  t.equal(records.length, 1)
  t.equal(calls.findByHash, undefined, 'API keys were not asked')
})

securityCase('BEA-12', async (t) => {
  const { ask } = await signedIn(t)
  const answer = await ask('/any/who')
  t.equal(answer.status, 401)
  t.equal(answer.headers['www-authenticate'], 'Bearer')
})

/** One refusal of every kind that a caller with a bearer credential can meet. */
async function refusals({
  ask,
  present,
  makeKey,
  fastify,
  forge,
  cookie,
  spoilt,
  token
}: Awaited<ReturnType<typeof signedIn>>) {
  const dead = await makeKey()
  await fastify.tokens.apiKeys.revoke(dead.view.id)
  return {
    nothing: await ask('/any/who'),
    'a bad signature': await present(spoilt, '/any/who'),
    'another user': await present(await forge.signed({}, { sub: 'mallory' }), '/any/who'),
    'an expired token': await present(await forge.signed({}, { exp: 1 }), '/any/who'),
    'a revoked key': await present(dead.token, '/any/who'),
    'no key': await present(`svc_${'0'.repeat(36)}`, '/any/who'),
    'no credential at all': await present('x', '/any/who'),
    'a session that is none': await ask('/any/who', { cookie: cookie.replace(/=.*/, `=${'A'.repeat(43)}`) }),
    'an unknown address': await ask('/any/thing'),
    'two headers': await ask('/any/who', { authorization: [`Bearer ${token}`, 'Bearer x'] })
  }
}

securityCase('BEA-14', async (t) => {
  const app = await signedIn(t)
  for (const [title, { status, headers, text }] of Object.entries(await refusals(app))) {
    t.equal(status, 401, title)
    t.equal(headers['www-authenticate'], 'Bearer', title)
    t.notMatch(text, /alice|bob|mallory|svc_[0-9A-Za-z]{6}|expired|revoked|signature|eyJ/, title)
  }
})

/** Alice with a token that holds another scope. */
async function narrow(app: TokenApp) {
  const { access_token } = await app.issue({ scope: 'invoices:read invoices:write' })
  return app.present(access_token, '/jwt/orders')
}

securityCase(
  'BEA-16',
  async (t) => {
    const app = await tokenApp(t)
    const answer = await narrow(app)
    t.equal(answer.status, 403)
    t.notMatch(answer.text, /invoices|orders/)
    t.equal(answer.headers['www-authenticate'], undefined)
    const { access_token } = await app.issue({ scope: SCOPE })
    t.equal((await app.present(access_token, '/jwt/orders')).status, 200)
  },
  '403 that names neither the scope wanted nor those held, and advertises none'
)

securityCase('BEA-17', async (t) => {
  const app = await signedIn(t)
  const answers: Awaited<ReturnType<typeof refusals>> & Record<string, Awaited<ReturnType<typeof narrow>>> = {
    ...(await refusals(app)),
    'a scope that is missing': await narrow(app),
    'a role that is missing': await app.ask('/any/admin', { cookie: app.cookie })
  }
  for (const [title, { status, headers }] of Object.entries(answers)) {
    t.ok(status === 401 || status === 403, title)
    t.equal(headers['cache-control'], 'no-store', title)
    t.equal(headers.vary, 'authorization, cookie', title)
  }
})
