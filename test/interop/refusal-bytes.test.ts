/**
 * What a refused caller is sent, byte by byte: status line, headers in their order, body. `test/vectors/refusals.json`
 * holds what was published; only the date is left out.
 */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { controller, Get, IsGranted, Message, Post, WebSocket } from 'svc-decorators'
import type { ModuleEntry } from 'svc-host'
import { guardHooks } from 'svc-kernel'
import svcRealtime from 'svc-realtime'
import t from 'tap'
import { accountApp, KEY_SET } from '../support/account-app.ts'
import { RawConnection, type RawHeaders, rawExchange, rawRequest, rawUpgrade } from '../support/raw-http.ts'
import { RawWebSocket } from '../support/raw-websocket.ts'
import { inRepository } from './documentation/repository.ts'

const published: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(inRepository('test/vectors/refusals.json'), 'utf8')
)

const ZONES = ['session', 'jwt', 'apikey', 'basic', 'keys', 'all'] as const

const areas = {
  in: { pattern: '^/session', authenticators: ['session'] },
  jwt: { pattern: '^/jwt', authenticators: ['jwt'] },
  apikey: { pattern: '^/apikey', authenticators: ['apikey'] },
  basic: { pattern: '^/basic', authenticators: ['userpassword'] },
  keys: { pattern: '^/keys', authenticators: ['session', 'userpassword', 'apikey'] },
  all: { pattern: '^/all', authenticators: ['apikey', 'userpassword'], mode: 'all' as const },
  visitors: { pattern: '^/visitors', authenticators: ['anonymous'] },
  api: { pattern: '^/svc/realtime', authenticators: ['anonymous'] }
}

@controller('/visitors')
class Visitors {
  @Get('/denied', { config: { realtime: true } })
  @IsGranted('ROLE_ADMIN')
  denied(): unknown {
    return 'never'
  }

  @Post('/denied')
  @IsGranted('ROLE_ADMIN')
  change(): unknown {
    return 'never'
  }

  @WebSocket('/echo')
  echo(@Message() text: string): unknown {
    return text
  }

  @WebSocket('/owned')
  @IsGranted('ROLE_ADMIN')
  owned(@Message() text: string): unknown {
    return text
  }
}

@controller('/session')
class Members {
  @WebSocket('/echo')
  echo(@Message() text: string): unknown {
    return text
  }
}

const routes: ModuleEntry = Object.assign(
  async (fastify: FastifyInstance) => {
    for (const zone of ZONES) fastify.get(`/${zone}/any`, () => 'ok')
    fastify.get('/nowhere', guardHooks([[{ attribute: 'ROLE_ADMIN' }]]), () => 'never')
  },
  { [Symbol.for('skip-override')]: true }
)

const BASIC = { authorization: `Basic ${Buffer.from('alice:wrong').toString('base64')}` }

const asked: ReadonlyArray<readonly [what: string, request: string]> = [
  ...ZONES.map((zone) => [`nothing presented to ${zone}`, get(`/${zone}/any`)] as const),
  ['nothing presented, HEAD', rawRequest('HEAD', '/apikey/any')],
  ['a token that is none', get('/jwt/any', { authorization: 'Bearer a.b.c' })],
  ['an unknown key', get('/apikey/any', { authorization: `Bearer key_${'a'.repeat(36)}` })],
  ['a wrong password', get('/basic/any', BASIC)],
  ['a wrong password in mode all', get('/all/any', BASIC)],
  ['a stale session', get('/session/any', { cookie: `svc_session=${'a'.repeat(43)}` })],
  ['two Authorization headers', get('/apikey/any', { authorization: ['Bearer a', 'Bearer b'] })],
  ['denied by the jury', get('/visitors/denied')],
  ['denied by the jury, HEAD', rawRequest('HEAD', '/visitors/denied')],
  ['denied by the jury, before its body is read', rawRequest('POST', '/visitors/denied', {}, '{"a":')],
  ['denied outside of every zone', get('/nowhere')],
  ['an unknown path in a zone', get('/apikey/nothing')],
  ['an unknown path outside of every zone', get('/nothing')],
  ['a plain request to a WebSocket route', get('/visitors/echo')],
  ['an upgrade without a session', rawUpgrade('/session/echo')],
  ['an upgrade denied by the jury', rawUpgrade('/visitors/owned')],
  ['an upgrade from another page', rawUpgrade('/visitors/echo', { origin: 'https://evil.example' })],
  ['an upgrade of an unknown path', rawUpgrade('/visitors/nothing')],
  ['a change from another page', rawRequest('POST', '/svc/security/api/auth/login', { origin: 'https://evil.example' })]
]

function get(path: string, headers: RawHeaders = {}): string {
  return rawRequest('GET', path, headers)
}

t.test('every refusal is sent as it was published', async (t) => {
  const { port } = await accountApp(t, {
    security: { areas, apiKeys: { prefix: 'key' }, jwt: KEY_SET },
    modules: [routes, [svcRealtime, {}]],
    controllers: [Visitors, Members]
  })
  const sent: Record<string, string> = {}
  for (const [what, request] of asked) sent[what] = undated((await rawExchange(port, request)).text)

  const kept = await RawConnection.open(port)
  const answer = await kept.exchange('GET /visitors/denied HTTP/1.1\r\nhost: a\r\n\r\n')
  sent['denied on a connection that stays open'] = undated(answer.text)
  kept.close()

  const { socket } = await RawWebSocket.open(t, port, '/svc/realtime')
  await socket.nextJson()
  for (const path of ['/visitors/denied', '/apikey/any', '/visitors/echo', '/nothing']) {
    socket.sendText(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'api.request', params: { path } }))
    sent[`JSON-RPC, GET ${path}`] = JSON.stringify(await socket.nextJson())
  }
  t.strictSame(sent, published)
})

function undated(text: string): string {
  return text.replace(/\r\n(date): [^\r]*/i, '\r\n$1: *')
}
