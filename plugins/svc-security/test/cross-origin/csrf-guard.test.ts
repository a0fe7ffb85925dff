/** Changes with a browser's session: the page first, then the session's own token. */
import t from 'tap'
import { csrfToken, isCsrfToken, type OriginVerdict, pageFault } from '../../src/cross-origin/csrf-guard.ts'
import { newSessionId } from '../../src/sessions/session-cookie.ts'
import { echoRoute } from '../support/guarded-app.ts'
import { API, Browser, loginApp } from '../support/login-app.ts'
import { HeaderAuthenticator } from '../support/tokens.ts'

const pages: Array<[origin: OriginVerdict, site: unknown, verdict: 'origin' | 'fetch-site' | null]> = [
  ['absent', undefined, null],
  ['absent', 'same-origin', null],
  ['absent', 'none', null],
  ['absent', 'same-site', 'fetch-site'],
  ['absent', 'cross-site', 'fetch-site'],
  ['absent', '', 'fetch-site'],
  ['absent', ['same-origin', 'cross-site'], 'fetch-site'],
  ['allowed', 'cross-site', null],
  ['allowed', undefined, null],
  ['refused', 'same-origin', 'origin'],
  ['refused', undefined, 'origin']
]
for (const [origin, site, verdict] of pages) {
  t.test(`origin ${origin}, site ${JSON.stringify(site)}`, async (t) => t.equal(pageFault(origin, site), verdict))
}

t.test('a token belongs to one session', async (t) => {
  const [one, two] = [newSessionId(), newSessionId()]
  t.equal(isCsrfToken(csrfToken(one), one), true)
  t.equal(isCsrfToken(csrfToken(one), two), false)
  for (const bad of [undefined, '', 'x', [csrfToken(one)], `${csrfToken(one)}x`, 7])
    t.equal(isCsrfToken(bad, one), false)
})

async function changingApp(options = {}) {
  const areas = {
    in: { pattern: '^/in', authenticators: ['session'] },
    both: { pattern: '^/both', authenticators: ['key', 'session'] }
  }
  const made = await loginApp(
    { areas, ...options },
    { authenticators: { key: new HeaderAuthenticator('key', 'apikey') } }
  )
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    echoRoute(made.app, '/in/change', { method })
    echoRoute(made.app, '/both/change', { method })
  }
  echoRoute(made.app, '/in/read')
  const browser = new Browser(made.app)
  await browser.login()
  return { ...made, browser }
}

t.test('every change needs the token; reading does not', async (t) => {
  const { app, browser, records } = await changingApp()
  const token = await browser.csrfToken()
  t.equal((await browser.call('GET', '/in/read')).statusCode, 200)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    const without = await browser.call(method, '/in/change')
    t.equal(without.statusCode, 403, method)
    t.match(without.json(), { code: 'SVC_SEC_CSRF', message: /x-csrf-token/ })
    const headers = { 'x-csrf-token': token }
    t.equal((await browser.call(method, '/in/change', { headers })).statusCode, 200, method)
    const foreign = await browser.call(method, '/in/change', {
      headers: { ...headers, origin: 'https://evil.example' }
    })
    t.equal(foreign.statusCode, 403, method)
    t.match(foreign.json(), { code: 'SVC_SEC_CROSS_SITE' })
  }
  const rejected = records.filter(({ action }) => action === 'csrf.rejected')
  t.match(rejected[0], { category: 'csrf', outcome: 'denied', actor: 'alice', resource: '/in/change', reason: 'token' })
  t.match(rejected[1], { reason: 'origin' })
  await app.close()
})

t.test('a token of the session before, of another session, or planted as a cookie', async (t) => {
  const { app, browser } = await changingApp()
  const before = await browser.csrfToken()
  await browser.login()
  const other = new Browser(app)
  await other.login()
  const planted = csrfToken(newSessionId())
  browser.cookies.set('x-csrf-token', planted)
  for (const token of [before, await other.csrfToken(), planted]) {
    const answer = await browser.call('POST', '/in/change', { headers: { 'x-csrf-token': token } })
    t.equal(answer.statusCode, 403)
  }
  await app.close()
})

t.test('a program that presents its own credential is exempt, also beside a cookie', async (t) => {
  const { app, browser } = await changingApp()
  const headers = { 'x-key': 'robot' }
  t.match((await browser.call('POST', '/both/change', { headers })).json(), { who: 'robot' })
  t.equal((await browser.call('POST', '/both/change')).statusCode, 403)
  await app.close()
})

t.test('refused before the guard, the body and the handler', async (t) => {
  const { app, browser } = await changingApp()
  const headers = { 'content-type': 'application/json' }
  const answer = await browser.call('POST', '/in/change', { headers, payload: '{' })
  t.equal(answer.statusCode, 403)
  await app.close()
})

t.test('switched off', async (t) => {
  const { app, browser } = await changingApp({ csrf: { enabled: false } })
  t.equal((await browser.call('POST', '/in/change')).statusCode, 200)
  t.equal((await browser.call('POST', '/in/change', { headers: { origin: 'https://evil.example' } })).statusCode, 200)
  await app.close()
})

t.test('the gate judges the session that a route without a zone reads itself', async (t) => {
  const { app } = await loginApp()
  await app.register(async (scope) => {
    scope.post('/free', { preParsing: scope.gates.csrf }, async () => 'done')
  })
  const browser = new Browser(app)
  t.equal((await browser.call('POST', '/free')).statusCode, 200, 'no session, nothing to ride on')
  await browser.login()
  t.equal((await browser.call('POST', '/free')).statusCode, 403)
  const headers = { 'x-csrf-token': await browser.csrfToken() }
  t.equal((await browser.call('POST', '/free', { headers })).statusCode, 200)
  t.equal((await browser.call('POST', `${API}/auth/logout`)).statusCode, 200, 'a logout needs no token')
  await app.close()
})
