/** The invoke path over real sockets: the route's own guard, validation and answer, to the identity of the socket. */
import type { FastifyInstance } from 'fastify'
import { openerOf } from 'svc-kernel/plugin'
import t from 'tap'
import { ManualClock } from '../support/manual-clock.ts'
import { ALICE, invokable, realtimeApp } from '../support/realtime-app.ts'
import { RpcClient } from '../support/rpc-client.ts'

function routes(fastify: FastifyInstance): void {
  fastify.get('/who', invokable(), (request) => ({ who: request.user?.identifier ?? null, headers: request.headers }))
  fastify.get('/user', invokable('ROLE_USER'), () => ({ ok: true }))
  fastify.get('/admin', invokable('ROLE_ADMIN'), () => ({ ok: true }))
  fastify.get('/closed', () => ({ ok: true }))
  fastify.get('/echo/:id', invokable(), ({ params, query, raw, ip, protocol }) => ({
    params,
    query,
    url: raw.url,
    ip,
    protocol
  }))
  fastify.get('/text', invokable(), (_request, reply) => reply.type('text/plain; charset=utf-8').send('plain'))
  fastify.get('/bytes', invokable(), (_request, reply) => reply.type('image/png').send(Buffer.from([1, 2, 255])))
  fastify.get('/broken-json', invokable(), (_request, reply) => reply.type('application/json').send('{'))
  fastify.get('/empty', invokable(), (_request, reply) => reply.code(204).send())
  fastify.get('/moved', invokable(), (_request, reply) => reply.redirect('/elsewhere'))
  fastify.get('/throws', invokable(), () => Promise.reject(new Error('boom')))
  fastify.get('/absent', invokable(), (_request, reply) => reply.code(404).send({ code: 'GONE', message: 'not here' }))
  fastify.get('/busy', invokable(), (_request, reply) =>
    reply.code(503).header('retry-after', 7).send({ code: 'BUSY', message: 'later' })
  )
  fastify.get('/huge', invokable(), (_request, reply) => reply.type('text/plain').send('x'.repeat(8_388_609)))
}

t.test('answers', async (t) => {
  const { fastify, records } = await realtimeApp(t, { routes })
  const alice = await RpcClient.open(fastify, ALICE)
  const rows: ReadonlyArray<readonly [path: string, expected: object]> = [
    ['/who', { result: { status: 200, body: { who: 'alice' } } }],
    ['/user', { result: { status: 200, body: { ok: true }, headers: {} } }],
    ['/echo/a%2Fb?x=1', { result: { body: { params: { id: 'a/b' }, query: { x: '1' }, ip: '127.0.0.1' } } }],
    ['/text', { result: { status: 200, body: 'plain' } }],
    ['/empty', { result: { status: 204, body: null } }],
    ['/moved', { result: { status: 302, body: null, headers: { location: '/elsewhere' } } }],
    ['/bytes', { error: { code: -32000, data: { status: 406 } } }],
    ['/broken-json', { error: { code: -32603, data: { status: 500 } } }],
    ['/admin', { error: { code: -32003, message: 'access denied', data: { status: 403, code: 'SVC_SEC_DENIED' } } }],
    ['/throws', { error: { code: -32603, data: { status: 500 } } }],
    ['/absent', { error: { code: -32000, message: 'not here', data: { status: 404, code: 'GONE' } } }],
    ['/busy', { error: { code: -32000, data: { status: 503, code: 'BUSY', headers: { 'retry-after': '7' } } } }],
    ['/huge', { error: { code: -32000, data: { status: 413 } } }]
  ]
  for (const [path, expected] of rows) t.match(await alice.call('api.request', { path }), expected, path)
  t.strictSame(records, [], 'the guard of the route keeps its own journal')
})

t.test('a path that is no open route: one answer, whatever the cause', async (t) => {
  const { fastify } = await realtimeApp(t, { routes })
  const alice = await RpcClient.open(fastify, ALICE)
  const paths = ['/closed', '/nowhere', '/svc/realtime', '/%63losed', '/x/../closed', '//closed', '/closed?a=1']
  for (const path of paths) {
    const { error } = await alice.call('api.request', { path })
    t.strictSame(error, { code: -32602, message: 'no route with this path accepts requests over the socket' }, path)
  }
})

t.test('a path that no router reads is a bad request, as over HTTP', async (t) => {
  const { fastify } = await realtimeApp(t, { routes })
  const alice = await RpcClient.open(fastify, ALICE)
  t.match(await alice.call('api.request', { path: '/%zz' }), { error: { code: -32000, data: { status: 400 } } })
})

t.test('the path goes to the router as it was written', async (t) => {
  const { fastify } = await realtimeApp(t, { routes })
  const alice = await RpcClient.open(fastify, ALICE)
  const { result } = await alice.call('api.request', { path: '/echo/..%2fx' })
  t.match(result, { body: { url: '/echo/..%2fx' } })
  t.match(await alice.call('api.request', { path: '/a/../who' }), { error: { code: -32602 } }, 'dots are not resolved')
})

t.test('a caller cannot bring headers of its own', async (t) => {
  const { fastify } = await realtimeApp(t, { routes })
  const alice = await RpcClient.open(fastify, { ...ALICE, authorization: 'Bearer secret', cookie: 'a=b' })
  const { result } = await alice.call('api.request', { path: '/who' })
  const { headers } = (result as { body: { headers: Record<string, string> } }).body
  t.strictSame(
    Object.keys(headers).sort(),
    ['accept', 'host', 'user-agent'].filter((name) => name in headers)
  )
  t.notOk('authorization' in headers || 'cookie' in headers || 'x-user' in headers)
  t.match(await alice.call('api.request', { path: '/who', headers: { 'x-user': 'root' } }), { error: { code: -32602 } })
})

t.test('a request from outside is never one of a socket', async (t) => {
  let opener: unknown
  const { fastify } = await realtimeApp(t, {
    routes: (fastify) => {
      fastify.get('/open', invokable(), (request) => {
        opener = openerOf(request)
        return { ok: true }
      })
    }
  })
  t.equal((await fastify.inject('/open')).statusCode, 200)
  t.equal(opener, null)
  const visitor = await RpcClient.open(fastify)
  await visitor.call('api.request', { path: '/open' })
  t.not(opener, null)
})

t.test('a route that does not answer', async (t) => {
  const clock = new ManualClock()
  let entered: () => void = () => undefined
  let release: (value: object) => void = () => undefined
  const slow = (fastify: FastifyInstance): void => {
    fastify.get('/slow', invokable(), () => {
      entered()
      return new Promise<object>((resolve) => {
        release = resolve
      })
    })
    fastify.get('/quick', invokable(), () => ({ quick: true }))
  }
  const { fastify } = await realtimeApp(t, {
    routes: slow,
    options: { requestTimeoutMs: 500, limits: { maxRequests: 2 }, parts: { clock } }
  })
  const alice = await RpcClient.open(fastify, ALICE)
  const twice = new Promise<void>((resolve) => {
    let count = 0
    entered = () => {
      count += 1
      if (count === 2) resolve()
    }
  })
  const first = alice.call('api.request', { path: '/slow' })
  const second = alice.call('api.request', { path: '/slow' })
  await twice
  t.match(await alice.call('api.request', { path: '/quick' }), { error: { code: -32000, data: { status: 429 } } })
  t.match(await alice.call('channel.unsubscribe', { channel: 'x' }), { result: { channel: 'x' } }, 'others are served')
  clock.advance(500)
  const late = { error: { code: -32000, data: { status: 504, code: 'SVC_REALTIME_TIMEOUT' } } }
  t.match([await first, await second], [late, late])
  release({})
  t.match(await alice.call('api.request', { path: '/quick' }), { result: { body: { quick: true } } })
  t.equal(clock.timers, 1, 'only the sweep is waiting')
})

t.test('a socket that closes ends its requests', async (t) => {
  const ended = new Promise<void>((resolve) => {
    void realtimeApp(t, {
      routes: (fastify) => {
        fastify.get('/slow', invokable(), (request, reply) => {
          request.raw.on('close', () => {
            reply.hijack()
            resolve()
          })
          for (const client of fastify.websocketServer.clients) client.terminate()
          return reply
        })
      }
    }).then(async ({ fastify }) => {
      const alice = await RpcClient.open(fastify, ALICE)
      alice.send({ jsonrpc: '2.0', id: 1, method: 'api.request', params: { path: '/slow' } })
    })
  })
  await ended
  t.pass('the request of the closed socket was ended')
})

t.test('K1: a socket that closes while its identity is looked at makes no request any more', async (t) => {
  const [asked, gone, settled] = [signal(), signal(), signal()]
  let answer: (holds: boolean) => void = () => undefined
  const live = {
    unavailable: false,
    recheck: () => undefined,
    whenOver: () => gone.give,
    whenChecked: () => () => undefined,
    holds: () => {
      asked.give()
      return new Promise<boolean>((resolve) => {
        answer = resolve
      })
    }
  }
  const clock = new ManualClock()
  // A request that was begun is over when its deadline is taken back.
  clock.clearTimeout = () => settled.give()
  let reached = false
  const late = (fastify: FastifyInstance): void => {
    fastify.get('/late', invokable(), () => {
      reached = true
      return {}
    })
  }
  const { fastify } = await realtimeApp(t, { live: () => live, options: { parts: { clock } }, routes: late })
  const alice = await RpcClient.open(fastify, ALICE)
  alice.send({ jsonrpc: '2.0', id: 1, method: 'api.request', params: { path: '/late' } })
  await asked.given
  alice.ws.terminate()
  await gone.given
  answer(true)
  await settled.given
  t.notOk(reached)
})

/** A promise, and what resolves it. */
function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give: () => void = () => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}
