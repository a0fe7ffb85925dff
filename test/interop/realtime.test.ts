/**
 * The realtime socket in a whole application: an identity proved once, at the
 * handshake, used on routes and channels, under the zones, the gates and the
 * journal that HTTP knows.
 */
import { Body, CurrentUser, controller, Delete, Get, IsGranted, Post } from 'svc-decorators'
import type { User } from 'svc-kernel'
import svcRealtime from 'svc-realtime'
import t, { type Test } from 'tap'
import { accountApp, KEY_SET } from '../support/account-app.ts'
import { RpcSocket } from '../support/rpc-socket.ts'

let made = 0

@controller('/api/orders')
class Orders {
  @Get('/who', { config: { realtime: true } })
  who(@CurrentUser() user: User): unknown {
    return { who: user.identifier }
  }

  @Post('', {
    config: { realtime: true },
    schema: { body: { type: 'object', required: ['item'], properties: { item: { type: 'string' } } } }
  })
  @IsGranted('ROLE_USER')
  order(@Body() { item }: { item: string }): unknown {
    made += 1
    return { made, item }
  }

  @Delete('/all', { config: { realtime: true } })
  @IsGranted('ROLE_ADMIN')
  clear(): unknown {
    return { cleared: true }
  }

  @Get('/quiet')
  quiet(): unknown {
    return { quiet: true }
  }
}

const zones = {
  '/stricter': 'strict',
  '/loose': 'loose',
  '/deaf': 'deaf'
}

const others = Object.keys(zones).map((prefix) => {
  @controller(prefix)
  class Elsewhere {
    @Get('/who', { config: { realtime: true } })
    who(@CurrentUser() user: User): unknown {
      return { who: user.identifier }
    }

    @Get('/user', { config: { realtime: true } })
    @IsGranted('ROLE_USER')
    user(): unknown {
      return { ok: true }
    }
  }
  return Elsewhere
})

async function application(t: Test) {
  made = 0
  const app = await accountApp(t, {
    security: {
      areas: {
        api: { pattern: '^/(?:api|svc/realtime)', authenticators: ['session', 'jwt'] },
        strict: { pattern: '^/stricter', authenticators: ['jwt'] },
        loose: { pattern: '^/loose', authenticators: ['session', 'anonymous'] },
        deaf: { pattern: '^/deaf', authenticators: ['session', 'jwt'], realtime: false }
      },
      jwt: KEY_SET,
      roleHierarchy: { ROLE_ADMIN: ['ROLE_USER'] }
    },
    modules: [[svcRealtime, { channels: [{ pattern: 'orders:*', requires: ['ROLE_USER'], publish: ['ROLE_ADMIN'] }] }]],
    controllers: [Orders, ...others]
  })
  const bearer = async (identifier = 'alice') => {
    const { accessToken } = await app.fastify.tokens.issue({ identifier })
    return { authorization: `Bearer ${accessToken}` }
  }
  const session = async () => {
    const person = app.browser()
    await person.login()
    return { cookie: person.cookie, origin: `http://127.0.0.1:${app.port}` }
  }
  const open = async (headers: Record<string, string>) => {
    const socket = await RpcSocket.open(app.port, headers)
    t.teardown(() => socket.client.close())
    return socket
  }
  return { ...app, bearer, session, open }
}

t.test('a session from a browser: reads, changes without a CSRF token, and each change once', async (t) => {
  const { session, open } = await application(t)
  const socket = await open(await session())
  t.match(await socket.next(), { method: 'realtime.welcome', params: { user: { identifier: 'alice' } } })
  t.match(await socket.call('api.request', { path: '/api/orders/who' }), { result: { body: { who: 'alice' } } })
  const order = { path: '/api/orders', method: 'POST', body: { item: 'tea' }, idempotencyKey: 'first' }
  t.match(await socket.call('api.request', order), { result: { status: 200, body: { made: 1, item: 'tea' } } })
  t.match(await socket.call('api.request', order), {
    result: { body: { made: 1 }, headers: { 'idempotency-replayed': 'true' } }
  })
  t.match(await socket.call('api.request', { ...order, body: { item: 'coffee' } }), {
    error: { code: -32000, data: { status: 422, code: 'SVC_SEC_IDEMPOTENCY_MISMATCH' } }
  })
  t.match(await socket.call('api.request', { ...order, body: {} }), {
    error: { code: -32000, data: { status: 400, code: 'SVC_HTTP_VALIDATION', details: [{ path: '/item' }] } }
  })
  t.match(await socket.call('api.request', { ...order, idempotencyKey: undefined }), { error: { code: -32602 } })
  t.match(await socket.call('api.request', { path: '/api/orders/quiet' }), { error: { code: -32602 } })
  t.equal(made, 1)
})

t.test('a change by another way in has the same key', async (t) => {
  const { session, bearer, open } = await application(t)
  const order = { path: '/api/orders', method: 'POST', body: { item: 'tea' }, idempotencyKey: 'shared' }
  t.match(await (await open(await session())).call('api.request', order), { result: { body: { made: 1 } } })
  t.match(await (await open(await bearer())).call('api.request', order), { result: { body: { made: 1 } } })
})

t.test('refusals are told to the journal as over HTTP', async (t) => {
  const { bearer, open, records } = await application(t)
  const socket = await open(await bearer())
  records.length = 0
  t.match(await socket.call('api.request', { path: '/api/orders/all', method: 'DELETE', idempotencyKey: 'k' }), {
    error: { code: -32003, data: { status: 403, code: 'SVC_SEC_DENIED' } }
  })
  t.match(records, [{ category: 'authz', action: 'access.denied', actor: 'alice', resource: 'ROLE_ADMIN' }])
  records.length = 0
  t.match(await socket.call('channel.publish', { channel: 'orders:1', data: 1 }), { error: { code: -32003 } })
  t.match(
    records.map(({ action, resource }) => [action, resource]),
    [
      ['access.denied', 'ROLE_ADMIN'],
      ['frame.denied', 'orders:1']
    ]
  )
})

t.test('an identity goes where its proof is taken, and nowhere else', async (t) => {
  const { session, bearer, open, records } = await application(t)
  const rows = [
    // proof, path, answer
    ['session', '/stricter/who', { error: { code: -32001, data: { status: 401 } } }],
    ['session', '/loose/who', { result: { body: { who: 'alice' } } }],
    ['session', '/deaf/who', { result: { body: { who: 'anonymous' } } }],
    ['session', '/deaf/user', { error: { code: -32003 } }],
    ['bearer', '/stricter/who', { result: { body: { who: 'alice' } } }],
    ['bearer', '/stricter/user', { result: { body: { ok: true } } }],
    ['bearer', '/loose/who', { error: { code: -32001 } }],
    ['bearer', '/deaf/user', { error: { code: -32003 } }]
  ] as const
  const sockets = { session: await open(await session()), bearer: await open(await bearer()) }
  for (const [proof, path, answer] of rows) {
    t.match(await sockets[proof].call('api.request', { path }), answer, `${proof} to ${path}`)
  }
  const refused = records.filter(({ reason }) => reason === 'SVC_SEC_FOREIGN_PROOF')
  t.match(refused, [{ action: 'auth.failure', resource: 'strict' }, { resource: 'loose' }])
})

t.test('without proof there is no socket', async (t) => {
  const { port } = await application(t)
  await t.rejects(RpcSocket.open(port), /answered with 401/)
  const { accessToken } = await (await application(t)).fastify.tokens.issue({ identifier: 'alice' })
  await t.rejects(RpcSocket.open(port, {}, `/svc/realtime?access_token=${accessToken}`), /answered with 401/)
})
