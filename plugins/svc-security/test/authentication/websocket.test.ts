/** Upgrades: everything is decided before the 101, and only pages of this origin get that far. */
import fastifyWebsocket from '@fastify/websocket'
import type { FastifyServerOptions } from 'fastify'
import { guardHooks } from 'svc-kernel'
import t from 'tap'
import type { Area, Authenticator } from '../../src/index.ts'
import { requires, routeSecurity, securedApp } from '../support/guarded-app.ts'
import { rawRequest, rawUpgrade } from '../support/raw-request.ts'
import { aToken, HeaderAuthenticator } from '../support/tokens.ts'

const areas: Record<string, Area> = {
  open: { pattern: '^/open', authenticators: ['cookie', 'key', 'anonymous'] },
  quiet: { pattern: '^/quiet', authenticators: ['key'], realtime: false },
  ws: { pattern: '^/ws', authenticators: ['cookie', 'key'] }
}

async function app(server: FastifyServerOptions = {}, more: Record<string, Authenticator> = {}) {
  const records: Array<Record<string, unknown>> = []
  const fastify = await securedApp(
    {
      areas,
      csrf: { trustedOrigins: ['https://app.example'] },
      parts: {
        authenticators: {
          cookie: new HeaderAuthenticator('session'),
          key: new HeaderAuthenticator('key', 'apikey'),
          ...more
        }
      }
    },
    server
  )
  fastify.decorate('audit', {
    record: (event) => void records.push({ ...event }),
    subscribe: () => () => {},
    recent: () => [],
    flushed: async () => undefined
  })
  await fastify.register(fastifyWebsocket)
  const guarded = guardHooks(requires('ROLE_USER'))
  const greet = (socket: { send(text: string): void }, request: { user: unknown }) =>
    socket.send(JSON.stringify(request.user))
  await fastify.register(async (scope) => {
    for (const url of ['/ws', '/open', '/quiet', '/free']) scope.get(url, { websocket: true }, greet)
    scope.get('/ws/guarded', { websocket: true, ...guarded }, greet)
    scope.get('/quiet/guarded', { websocket: true, ...guarded }, greet)
    scope.get('/ws/hook', { websocket: true, config: { svc: routeSecurity({ bypassFirewall: true }) } }, greet)
    scope.get('/ws/public', { websocket: true, config: { svc: routeSecurity({ anonymous: true }) } }, greet)
    scope.get('/ws/plain', async () => 'http only')
  })
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  return { fastify, records }
}

const OWN = 'Origin: http://127.0.0.1:{port}'
const USER = 'x-key: alice:ROLE_USER'
const SESSION = 'x-session: alice:ROLE_USER'

const rows: Array<[title: string, target: string, headers: string[], status: number]> = [
  ['own origin with a session', '/ws', [OWN, SESSION], 101],
  ['a listed origin', '/ws', ['Origin: https://app.example', SESSION], 101],
  ['another origin', '/ws', ['Origin: https://evil.example', SESSION], 403],
  ['another origin without any proof', '/ws', ['Origin: https://evil.example'], 403],
  ['origin null', '/ws', ['Origin: null', SESSION], 403],
  ['a subdomain of a listed one', '/ws', ['Origin: https://x.app.example', SESSION], 403],
  ['another port', '/ws', ['Origin: http://127.0.0.1:1', SESSION], 403],
  ['no port', '/ws', ['Origin: http://127.0.0.1', SESSION], 403],
  ['another scheme', '/ws', ['Origin: https://127.0.0.1:{port}', SESSION], 403],
  ['a listed name over plain http', '/ws', ['Origin: http://app.example', SESSION], 403],
  ['own origin with a path', '/ws', [`${OWN}/x`, SESSION], 403],
  ['two origins', '/ws', [OWN, 'Origin: https://evil.example', SESSION], 403],
  ['no origin, a session', '/ws', [SESSION], 403],
  ['no origin, a bearer', '/ws', [USER], 101],
  ['no proof', '/ws', [OWN], 401],
  ['a bad proof', '/ws', [OWN, 'x-key: bad'], 401],
  ['guarded, permitted', '/ws/guarded', [OWN, USER], 101],
  ['guarded, not permitted', '/ws/guarded', [OWN, 'x-key: alice'], 403],
  ['encoded target, no proof', '/%77s', [OWN], 401],
  ['encoded target', '/%77s', [OWN, USER], 101],
  ['absolute target, no proof', 'http://evil/ws', [OWN], 401],
  ['unknown target inside', '/ws/nothing', [OWN], 401],
  ['the anonymous visitor', '/open', [OWN], 101],
  ['the anonymous visitor without origin', '/open', [], 101],
  ['the anonymous visitor from elsewhere', '/open', ['Origin: https://evil.example'], 403],
  ['outside every zone', '/free', [OWN], 101],
  ['outside every zone, from elsewhere', '/free', ['Origin: https://evil.example'], 403],
  ['@Anonymous', '/ws/public', [OWN], 101],
  ['@Anonymous, from elsewhere', '/ws/public', ['Origin: https://evil.example'], 403],
  ['@BypassFirewall', '/ws/hook', ['Origin: https://evil.example'], 101],
  ['realtime false: proof is still asked for', '/quiet', [OWN], 401],
  ['realtime false: with proof', '/quiet', [OWN, USER], 101],
  ['realtime false: a guard sees no identity', '/quiet/guarded', [OWN, USER], 403],
  ['an http route, no proof', '/ws/plain', [OWN], 401]
]

for (const [title, target, headers, status] of rows) {
  t.test(`${title}: ${status}`, async (t) => {
    const { fastify } = await app()
    t.teardown(() => fastify.close())
    const { status: given, head } = await rawUpgrade(fastify, target, headers)
    t.equal(given, status)
    if (status === 401) t.match(head, /www-authenticate: x-(session|key) realm/)
    if (status !== 101 && !target.endsWith('guarded')) t.match(head, /connection: close/i)
  })
}

t.test('a refused origin is one audit record', async (t) => {
  const { fastify, records } = await app()
  t.teardown(() => fastify.close())
  await rawUpgrade(fastify, '/ws', ['Origin: https://evil.example', SESSION])
  await rawUpgrade(fastify, '/ws', [SESSION])
  t.match(records, [
    { category: 'ws', action: 'origin.rejected', outcome: 'denied', reason: 'https://evil.example', resource: '/ws' },
    { category: 'ws', action: 'origin.rejected', outcome: 'denied', reason: 'no origin' }
  ])
})

t.test('an origin says nothing about plain HTTP: that is a matter of CORS', async (t) => {
  const { fastify } = await app()
  t.teardown(() => fastify.close())
  t.equal((await rawRequest(fastify, '/ws/plain', { headers: ['Origin: https://evil.example', USER] })).status, 200)
})

t.test('behind a trusted proxy the scheme and host are those the browser used', async (t) => {
  const { fastify } = await app({ trustProxy: true })
  t.teardown(() => fastify.close())
  const proxied = ['X-Forwarded-Proto: https', 'X-Forwarded-Host: shop.example', SESSION]
  t.equal((await rawUpgrade(fastify, '/ws', ['Origin: https://shop.example', ...proxied])).status, 101)
  t.equal((await rawUpgrade(fastify, '/ws', ['Origin: http://shop.example', ...proxied])).status, 403)
  const { fastify: untrusting } = await app()
  t.teardown(() => untrusting.close())
  t.equal((await rawUpgrade(untrusting, '/ws', ['Origin: https://shop.example', ...proxied])).status, 403)
})

t.test('the identity is that of the handshake; with realtime false there is none', async (t) => {
  const { fastify } = await app()
  t.teardown(() => fastify.close())
  await fastify.ready()
  const first = (path: string) =>
    new Promise((resolve, reject) => {
      const onInit = (socket: { once(event: 'message', listener: (data: Buffer) => void): void; terminate(): void }) =>
        socket.once('message', (data) => {
          resolve(JSON.parse(String(data)))
          socket.terminate()
        })
      fastify.injectWS(path, { headers: { 'x-key': 'alice:ROLE_USER' } }, { onInit }).catch(reject)
    })
  t.match(await first('/ws'), { identifier: 'alice' })
  t.equal(await first('/quiet'), null)
})

t.test('the transport is told to authenticators', async (t) => {
  const seen: string[] = []
  const key: Authenticator = {
    supports: ({ transport }) => seen.push(transport) > 0,
    createToken: () => null,
    authenticate: () => aToken({ type: 'apikey' })
  }
  const { fastify } = await app({}, { cookie: key })
  t.teardown(() => fastify.close())
  await rawUpgrade(fastify, '/ws', [OWN])
  await rawRequest(fastify, '/ws/plain')
  t.same(seen, ['websocket', 'http'])
})
