/** Area `errors`: one body for every refusal, and nothing in it that was not meant for the caller. */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { guardHooks } from 'svc-kernel'
import type { Authenticator } from 'svc-security'
import { API, accountApp, KEY_SET, PASSWORD } from '../../support/account-app.ts'
import { rawExchange, rawRequest } from '../../support/raw-http.ts'
import { securityCase } from './security-case.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

securityCase(
  'ERR-01',
  async (t) => {
    const areas = {
      in: { pattern: '^/in', authenticators: ['session'] },
      basic: { pattern: '^/basic', authenticators: ['userpassword'] },
      bearer: { pattern: '^/bearer', authenticators: ['jwt', 'apikey'] }
    }
    const routes = fp(async (fastify: FastifyInstance) => {
      fastify.get('/guarded', guardHooks([[{ attribute: 'ROLE_ADMIN' }]]), async () => 'inside')
      fastify.get('/broken', async () => {
        throw new Error('the database at db.internal said no')
      })
    })
    const { book, browser, port } = await accountApp(t, { security: { areas, jwt: KEY_SET }, modules: [routes] })
    const ask = (method: string, target: string, headers = {}, body = '') =>
      rawExchange(port, rawRequest(method, target, { accept: 'application/json', ...headers }, body))
    const login = JSON.stringify({ username: 'alice', password: 'wrong' })
    const rows: Array<[status: number, code: string, message: string, answer: Awaited<ReturnType<typeof ask>>]> = [
      [400, 'SVC_HTTP_VALIDATION', 'the body is not valid', await ask('POST', `${API}/auth/login`, JSON_TYPE, '{}')],
      [401, 'SVC_SEC_CREDENTIALS', 'INVALID_CREDENTIALS', await ask('POST', `${API}/auth/login`, JSON_TYPE, login)],
      [401, 'SVC_SEC_CREDENTIALS', 'INVALID_CREDENTIALS', await browser().basic('alice:wrong')],
      [401, 'SVC_SEC_TOKEN', 'INVALID_TOKEN', await ask('GET', '/bearer/x', { authorization: 'Bearer a.b.c' })],
      [401, 'SVC_SEC_SESSION', 'INVALID_SESSION', await ask('GET', `${API}/auth/me`)],
      [401, 'SVC_SEC_UNAUTHENTICATED', 'authentication required', await ask('GET', '/in/who')],
      [403, 'SVC_SEC_DENIED', 'access denied', await ask('GET', '/guarded')],
      [403, 'SVC_SEC_CROSS_SITE', '', await browser().login('alice', PASSWORD, { origin: 'https://evil.example' })],
      [404, 'SVC_HTTP_NOT_FOUND', '', await ask('GET', '/nowhere')],
      [415, '', '', await ask('POST', `${API}/auth/login`, { 'content-type': 'text/plain' }, login)],
      [500, 'SVC_HTTP_INTERNAL', 'internal error', await ask('GET', '/broken')]
    ]
    for (let time = 0; time < 4; time += 1) await browser().login('mallory', 'wrong')
    rows.push([429, 'SVC_SEC_THROTTLED', 'too many attempts', await browser().login('mallory', 'wrong')])
    book.failure = new Error('the directory at ldap.internal is down')
    rows.push([503, 'SVC_SEC_UNAVAILABLE', '', await browser().basic(`alice:${PASSWORD}`)])
    for (const [status, code, message, answer] of rows) {
      const title = `${status} ${code} ${message}`
      t.equal(answer.status, status, title)
      t.match(answer.headers['content-type'], /^application\/json/, title)
      const { details: _details, ...body } = JSON.parse(answer.body) as Record<string, unknown>
      t.strictSame(Object.keys(body).sort(), ['code', 'error', 'message', 'statusCode'], title)
      t.match(body, { statusCode: status, code: code || /^(?:SVC|FST)_/, message: message || /./ }, title)
      t.notMatch(answer.text, /internal\b.*(?:down|said)|\.[jt]s:\d/, title)
    }
  },
  "Fastify's own shape as application/json, with a stable code beside it"
)

securityCase(
  'ERR-02',
  async (t) => {
    let ran = 0
    const detail = 'at db.internal:5432 with the password hunter2'
    const failing = (change: Partial<Authenticator>): Authenticator => ({
      supports: () => true,
      createToken: () => 'x',
      authenticate: () => ({ type: 'session', user: { identifier: 'alice' } }),
      ...change
    })
    const crash = () => {
      throw new TypeError(detail)
    }
    const authenticators = {
      supports: failing({ supports: crash }),
      reads: failing({ createToken: crash }),
      proves: failing({ authenticate: crash }),
      rejects: failing({ authenticate: () => Promise.reject(new TypeError(detail)) }),
      succeeds: failing({ onSuccess: crash })
    }
    const areas = Object.fromEntries(
      Object.keys(authenticators).map((name) => [name, { pattern: `^/${name}`, authenticators: [name] }])
    )
    const routes = fp(async (fastify: FastifyInstance) => {
      for (const name of [...Object.keys(areas), 'open']) {
        fastify.get(`/${name}`, async () => {
          ran += 1
        })
      }
    })
    const { fastify, port } = await accountApp(t, { security: { areas }, parts: { authenticators }, modules: [routes] })
    const ask = (target: string) => rawExchange(port, rawRequest('GET', target))
    for (const name of Object.keys(areas)) {
      const { status, text } = await ask(`/${name}`)
      t.equal(status, 401, name)
      t.notMatch(text, /hunter2|TypeError|\.[jt]s:\d/, name)
    }
    fastify.firewall.policyOf = crash
    const broken = await ask('/open')
    t.equal(broken.status, 500)
    t.strictSame(JSON.parse(broken.body), {
      statusCode: 500,
      code: 'SVC_HTTP_INTERNAL',
      error: 'Internal Server Error',
      message: 'internal error'
    })
    t.equal(ran, 0)
  },
  'what an authenticator throws is its 401, what the firewall itself throws a 500, both without a stack'
)

securityCase(
  'ERR-04',
  async (t) => {
    const { browser, clock } = await accountApp(t)
    for (const attempt of [
      () => browser().login('alice', 'wrong'),
      () => browser().basic('bob:wrong'),
      () => browser().basic('carol:wrong')
    ]) {
      let answer = await attempt()
      for (let time = 0; time < 5 && answer.status !== 429; time += 1) answer = await attempt()
      t.equal(answer.status, 429)
      t.match(answer.headers['retry-after'], /^[1-9]\d*$/)
      t.notOk(
        Object.keys(answer.headers).some((name) => name.startsWith('ratelimit') || name.startsWith('x-ratelimit'))
      )
      clock.advance(Number(answer.headers['retry-after']) * 1000)
      t.equal((await attempt()).status, 401, 'after that time it is judged again')
    }
  },
  'Retry-After in whole seconds, after which an attempt is judged again; no RateLimit fields'
)

securityCase('ERR-05', async (t) => {
  const { browser, port } = await accountApp(t, { security: { jwt: KEY_SET }, server: {} })
  const mark = 'zqx'
  const names = [`<script>${mark}</script>`, `${mark}\r\nSet-Cookie: evil=1`, `"><img src=${mark}>`, `{{${mark}}}`]
  for (const name of names) {
    const encoded = Buffer.from(`${name}:x`).toString('base64')
    const payload = JSON.stringify({ username: name, password: 'x' })
    const answers = [
      await browser().login(name, 'x'),
      await browser().basic(`${name}:x`),
      await browser().post(`${API}/token`, { username: name, password: 'x' }),
      await browser().post(`${API}/token/refresh`, { refresh_token: name }),
      await browser().call('GET', '/in/who', { cookie: `svc_session=${encodeURIComponent(name)}` }),
      await browser().call('GET', `/${encodeURIComponent(name)}?user=${encodeURIComponent(name)}`),
      await browser().call('GET', `/in/${encodeURIComponent(name)}`, { authorization: `Basic ${encoded}` }),
      await rawExchange(port, rawRequest('POST', `${API}/auth/login`, JSON_TYPE, payload.slice(0, -1)))
    ]
    for (const { status, text } of answers) {
      t.ok(status >= 400 && status < 500, `${status}`)
      t.notMatch(text, new RegExp(mark))
      t.notMatch(text, /evil=1/)
    }
  }
})
