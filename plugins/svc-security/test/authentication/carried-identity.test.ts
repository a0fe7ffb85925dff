/** A request made over an open WebSocket: the socket's identity, where the zone takes its proof; never that of its headers. */
import fastifyWebsocket from '@fastify/websocket'
import Fastify, { type FastifyRequest } from 'fastify'
import { ANONYMOUS, ANONYMOUS_TOKEN, type AuditRecord, createAccessToken } from 'svc-kernel'
import { markInvocation } from 'svc-kernel/plugin'
import t from 'tap'
import { type Handshake, recordHandshake } from '../../src/authentication/identity-propagation.ts'
import svcSecurity from '../../src/index.ts'
import { auditing } from '../support/auditing.ts'
import { echoRoute } from '../support/guarded-app.ts'
import { aToken, HeaderAuthenticator } from '../support/tokens.ts'

/** The upgrade request of a socket, as far as the firewall reads it. */
function opener(token: FastifyRequest['token']): FastifyRequest {
  return { token, user: token?.user ?? null } as FastifyRequest
}

const records: AuditRecord[] = []

async function app(socket: FastifyRequest, enter: (zone: Handshake['zone']) => Handshake | null) {
  const fastify = Fastify()
  records.length = 0
  auditing(fastify, (event) => void records.push(event))
  fastify.addHook('onRequest', async (request) => {
    if (request.headers['x-over'] === 'socket') markInvocation(request.raw, socket)
  })
  await fastify.register(svcSecurity, {
    areas: {
      home: { pattern: '^/home', authenticators: ['key'] },
      open: { pattern: '^/open', authenticators: ['key', 'anonymous'] },
      other: { pattern: '^/other', authenticators: ['badge'] },
      deaf: { pattern: '^/deaf', authenticators: ['key'], realtime: false },
      strict: { pattern: '^/strict', authenticators: ['key'], requireFactor: 'any' }
    },
    parts: { authenticators: { key: new HeaderAuthenticator('key'), badge: new HeaderAuthenticator('badge') } }
  })
  for (const url of ['/home', '/open', '/other', '/deaf', '/nowhere', '/strict']) echoRoute(fastify, url)
  await fastify.ready()
  const home = fastify.firewall.zones.find(({ name }) => name === 'home')
  const handshake = home === undefined ? null : enter(home)
  if (handshake !== null) recordHandshake(socket, handshake)
  return fastify
}

const over = { 'x-over': 'socket', 'x-key': 'mallory', 'x-badge': 'mallory' }

t.test('the identity of the socket is propagated; what the headers claim is not read', async (t) => {
  const fastify = await app(opener(aToken({ type: 'apikey', identifier: 'alice' })), (zone) => ({
    zone,
    authenticator: 'key'
  }))
  const rows: ReadonlyArray<readonly [url: string, status: number, who: string | null]> = [
    ['/home', 200, 'alice'],
    ['/open', 200, 'alice'],
    ['/other', 401, null],
    ['/deaf', 200, null],
    ['/nowhere', 200, null]
  ]
  for (const [url, status, who] of rows) {
    const answer = await fastify.inject({ url, headers: over })
    t.equal(answer.statusCode, status, url)
    if (status === 200) t.equal(answer.json().who, who, `${url} is answered for ${who}`)
  }
  t.match(records, [
    { action: 'auth.failure', reason: 'SVC_SEC_FOREIGN_PROOF', metadata: { zone: 'other', authenticator: 'key' } }
  ])
  const outside = await fastify.inject({ url: '/home', headers: { 'x-key': 'bob' } })
  t.equal(outside.json().who, 'bob', 'a request from outside proves itself')
  await fastify.close()
})

t.test('a socket that was opened outside of every zone is nobody, where nobody may come in', async (t) => {
  const fastify = await app(opener(null), () => null)
  const open = await fastify.inject({ url: '/open', headers: over })
  t.match(open.json(), { who: ANONYMOUS.identifier, proof: ANONYMOUS_TOKEN.type })
  t.equal((await fastify.inject({ url: '/home', headers: over })).statusCode, 401)
  t.match(records, [{ action: 'auth.failure', metadata: { zone: 'home', authenticator: null } }])
  await fastify.close()
})

t.test('a handshake whose identity is gone proves nothing any more', async (t) => {
  const fastify = await app(opener(null), (zone) => ({ zone, authenticator: 'key' }))
  t.equal((await fastify.inject({ url: '/home', headers: over })).statusCode, 401)
  await fastify.close()
})

t.test('the authenticator whose proof opened the socket decides which zones take its identity', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  let socket: FastifyRequest | null = null
  fastify.addHook('onRequest', async (request) => {
    if (socket !== null) markInvocation(request.raw, socket)
  })
  await fastify.register(svcSecurity, {
    areas: {
      ws: { pattern: '^/ws', authenticators: ['badge', 'key'] },
      keys: { pattern: '^/keys', authenticators: ['key'] },
      badges: { pattern: '^/badges', authenticators: ['badge'] }
    },
    parts: { authenticators: { key: new HeaderAuthenticator('key'), badge: new HeaderAuthenticator('badge') } }
  })
  await fastify.register(fastifyWebsocket)
  await fastify.register(async (scope) => {
    scope.get('/ws', { websocket: true }, (_socket, request) => {
      socket = request
    })
  })
  for (const url of ['/keys', '/badges']) echoRoute(fastify, url)
  await fastify.ready()
  const client = await fastify.injectWS('/ws', { headers: { 'x-key': 'alice' } })
  t.match((await fastify.inject('/keys')).json(), { who: 'alice' })
  t.equal((await fastify.inject('/badges')).statusCode, 401)
  client.terminate()
})

t.test('an area that needs a factor takes the identity of a socket that has shown one', async (t) => {
  const person = { type: 'session', user: { identifier: 'alice', roles: [] } }
  for (const [factors, status] of [
    [['pwd'], 403],
    [['pwd', 'otp'], 200]
  ] as const) {
    const fastify = await app(opener(createAccessToken({ ...person, factors })), (zone) => ({
      zone,
      authenticator: 'key'
    }))
    t.equal((await fastify.inject({ url: '/strict', headers: over })).statusCode, status, factors.join(' '))
    t.equal((await fastify.inject({ url: '/home', headers: over })).statusCode, 200)
    const denied = { action: 'access.denied', actor: 'alice', resource: 'FACTOR(any)' }
    t.match(records, status === 403 ? [denied] : [])
    await fastify.close()
  }
})
