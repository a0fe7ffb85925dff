/** Area `fastify`: what the server beneath us does with requests that are odd, and with applications that are. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { guardHooks } from 'svc-kernel'
import svcSecurity from 'svc-security'
import { API, accountApp } from '../../support/account-app.ts'
import { bearer, PlainCredential } from '../../support/plain-credential.ts'
import { RawConnection, rawExchange, rawRequest } from '../../support/raw-http.ts'
import { securityCase } from './security-case.ts'

const guard = guardHooks([[{ attribute: 'ROLE_USER' }]])

/** `/api` takes a bearer credential; two strangers' mistakes and the third is slowed down at `/basic`. */
const zones = {
  api: { pattern: '^/api', authenticators: ['bearer'] },
  basic: { pattern: '^/basic', authenticators: ['userpassword'] }
}

const parts = { authenticators: { bearer: PlainCredential.bearer() } }

securityCase(
  'FAS-03',
  async (t) => {
    const ran: string[] = []
    const routes = fp(async (fastify: FastifyInstance) => {
      fastify.get('/api/orders', guard, async () => ran.push('orders'))
    })
    const { port } = await accountApp(t, { security: { areas: zones }, parts, modules: [routes] })
    const ask = async (headers = {}) => (await rawExchange(port, rawRequest('OPTIONS', '/api/orders', headers))).status
    t.equal(await ask(), 401, 'without proof')
    t.equal(await ask(bearer('alice/ROLE_USER')), 404, 'with proof')
    t.strictSame(ran, [])
  },
  '401 without proof, 404 with: an unknown path in a zone; no handler runs'
)

securityCase(
  'FAS-09',
  async (t) => {
    const security = { areas: { api: zones.api }, parts }
    const inScope = createFastify() as unknown as FastifyInstance
    t.teardown(() => inScope.close())
    inScope.register(async (scope: FastifyInstance) => {
      await scope.register(svcSecurity, security)
    })
    await t.rejects(Promise.resolve(inScope.ready()), { code: 'SVC_SEC_NOT_ROOT' })

    const late = createFastify() as unknown as FastifyInstance
    t.teardown(() => late.close())
    late.get('/api/open', async () => 'inside')
    late.get('/api/guarded', guard, async () => 'inside')
    await late.register(svcSecurity, security)
    for (const url of ['/api/open', '/api/guarded', '/api/unknown']) {
      t.equal((await late.inject(url)).statusCode, 401, url)
    }
    t.equal((await late.inject({ url: '/api/guarded', headers: bearer('alice/ROLE_USER') })).statusCode, 200)
  },
  'in a child scope it refuses to boot; after routes it guards them all the same'
)

securityCase('FAS-13', async (t) => {
  const { port } = await accountApp(t)
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let received = ''
  socket.on('data', (text: string) => {
    received += text
  })
  const expecting = { expect: '100-continue', 'content-type': 'application/json', 'content-length': '1000000' }
  socket.write(rawRequest('POST', '/in/who', expecting))
  await once(socket, 'close')
  t.match(received, /^HTTP\/1\.1 401 /)
  t.notMatch(received, /100 Continue/i)
})

securityCase('FAS-14', async (t) => {
  const routes = fp(async (fastify: FastifyInstance) => {
    fastify.get('/api/admin', guardHooks([[{ attribute: 'ROLE_ADMIN' }]]), async () => 'inside')
  })
  const shaped = fp(async (fastify: FastifyInstance) => {
    fastify.setErrorHandler((error: { statusCode?: number }, _request, reply) =>
      reply.code(error.statusCode ?? 500).send({ sorry: true })
    )
  })
  const { port, browser } = await accountApp(t, {
    before: [shaped],
    security: { areas: zones },
    parts,
    modules: [routes]
  })
  const get = (target: string, headers = {}) => rawExchange(port, rawRequest('GET', target, headers))

  const unproven = await get('/api/admin')
  t.match(unproven, { status: 401, body: '{"sorry":true}', headers: { 'www-authenticate': 'Bearer' } })
  const basic = await get('/basic/who')
  t.match(basic, { status: 401, body: '{"sorry":true}', headers: { 'www-authenticate': /^Basic realm=/ } })
  const denied = await get('/api/admin', bearer('alice/ROLE_USER'))
  t.match(denied, { status: 403, body: '{"sorry":true}', headers: { 'cache-control': 'no-store' } })

  for (const [title, attempt] of [
    ['Basic', () => browser().basic('alice:wrong')],
    ['the login', () => browser().login('bob', 'wrong')]
  ] as const) {
    let answer = await attempt()
    for (let time = 0; time < 5 && answer.status !== 429; time += 1) answer = await attempt()
    t.match(answer, { status: 429, body: '{"sorry":true}', headers: { 'retry-after': /^\d+$/ } }, title)
  }
})

securityCase('FAS-15', async (t) => {
  const sent: string[] = []
  const wrapping = fp(async (fastify: FastifyInstance) => {
    fastify.addHook('onSend', async (_request, _reply, payload) => {
      sent.push(String(payload))
      return JSON.stringify({ wrapped: String(payload) })
    })
  })
  const { browser, port } = await accountApp(t, { modules: [wrapping] })
  const answers = [
    await browser().basic('alice:wrong'),
    await browser().login('alice', 'wrong'),
    await rawExchange(port, rawRequest('GET', '/in/who')),
    await rawExchange(port, rawRequest('GET', '/in/who', { cookie: `svc_session=${'A'.repeat(43)}` })),
    await rawExchange(port, rawRequest('GET', `${API}/auth/me`))
  ]
  for (const { status, text, body } of answers) {
    t.equal(status, 401)
    t.match(Object.keys(JSON.parse(body) as object), ['wrapped'])
    t.notMatch(text, /wrong_password|no_session|reason|stack|node_modules|\.[jt]s:\d/)
  }
  t.equal(sent.length, answers.length)
  for (const payload of sent) t.strictSame(Object.keys(JSON.parse(payload) as object).sort(), MEMBERS)
})

/** What an error answer has, and nothing beside. */
const MEMBERS = ['code', 'error', 'message', 'statusCode']

securityCase('FAS-18', async (t) => {
  const { port, lines } = await accountApp(t)
  const smuggling = { 'content-length': '6', 'transfer-encoding': 'chunked', 'content-type': 'text/plain' }
  for (const target of ['/in/who', `${API}/auth/login`, '/nowhere']) {
    const connection = await RawConnection.open(port)
    t.equal((await connection.exchange(`${rawRequest('POST', target, smuggling)}0\r\n\r\nG`)).status, 400, target)
    await t.rejects(connection.next(), /the connection ended/, 'and nothing of the rest is read as a request')
  }
  t.strictSame(
    lines.filter(({ level }) => level >= 50),
    []
  )
})
