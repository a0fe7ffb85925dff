/**
 * What an open WebSocket may is what HTTP may now: roles, passwords, factors, revocations and the answers of voters reach
 * it at the next check, whatever proved its identity. Its subject stays that of the handshake.
 */
import { CurrentUser, controller, Get, IsGranted, Message, WebSocket } from 'svc-decorators'
import type { User } from 'svc-kernel'
import svcRealtime from 'svc-realtime'
import { type AccessVoter, type Authenticator, hashPassword, Vote } from 'svc-security'
import { tokensStore, totpStore } from 'svc-security/stores'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { accountApp, CHEAP, KEY_SET, PASSWORD } from '../support/account-app.ts'
import { RpcSocket } from '../support/rpc-socket.ts'
import { SocketClient } from '../support/socket-client.ts'

@controller('/api/rooms')
class Rooms {
  @Get('/mine', { config: { realtime: true } })
  mine(@CurrentUser() user: User): unknown {
    return { who: user.identifier, roles: user.roles }
  }

  @Get('/all', { config: { realtime: true } })
  @IsGranted('ROLE_ADMIN')
  all(): unknown {
    return { all: true }
  }

  @WebSocket('/live')
  @IsGranted('ROLE_ADMIN')
  live(@Message() text: string): unknown {
    return { echo: text }
  }
}

/** Whether the voter of `room:enter` lets anybody in. */
let open = true
const voter: AccessVoter = {
  name: 'rooms',
  supports: (attribute) => attribute === 'room:enter',
  vote: () => (open ? Vote.GRANT : Vote.DENY)
}

const channels = [
  { pattern: 'admin:*', requires: ['ROLE_ADMIN'] },
  { pattern: 'room:*', requires: ['room:enter'] },
  { pattern: 'free:*', anonymous: true }
]

/** Takes its roles from the user, and may add some of its own. */
function badge(rolesOf: (identifier: string) => readonly string[], more: Partial<Authenticator> = {}): Authenticator {
  return {
    carrier: 'header',
    supports: ({ headers }) => headers['x-badge'] !== undefined,
    createToken: ({ headers }) => headers['x-badge'],
    authenticate: (name) => ({ type: 'badge', user: { identifier: String(name), roles: rolesOf(String(name)) } }),
    ...more
  }
}

interface Setting {
  readonly more?: object
  readonly badge?: (rolesOf: (identifier: string) => readonly string[]) => Authenticator
  readonly stores?: object
}

async function application(t: Test, { more = {}, badge: make = badge, stores = {} }: Setting = {}) {
  open = true
  const clock = new ManualClock()
  const rolesOf = (identifier: string) => app.book.accounts.get(identifier)?.roles ?? []
  const app = await accountApp(t, {
    security: {
      areas: {
        live: {
          pattern: '^/(?:api|svc/realtime)',
          authenticators: ['session', 'jwt', 'apikey', 'userpassword', 'badge']
        }
      },
      jwt: KEY_SET,
      roleHierarchy: { ROLE_ADMIN: ['ROLE_SVC_ADMIN'] },
      ...more
    },
    parts: { voters: [voter], authenticators: { badge: make(rolesOf) }, stores },
    modules: [[svcRealtime, { channels, recheckS: 30, parts: { clock } }]],
    clock,
    controllers: [Rooms]
  })
  app.alice.roles = ['ROLE_USER', 'ROLE_ADMIN']
  const later = () => app.clock.advance(250)
  const rpc = async (headers: Record<string, string>) => {
    const socket = await RpcSocket.open(app.port, headers)
    t.teardown(() => socket.client.close())
    await socket.next()
    return socket
  }
  return { ...app, later, rpc }
}

type App = Awaited<ReturnType<typeof application>>

/** Headers of a handshake, by what proves alice. */
const proofs: Readonly<Record<string, (app: App) => Promise<Record<string, string>>>> = {
  session: async ({ port, browser }) => {
    const page = browser()
    await page.login()
    return { cookie: page.cookie, origin: `http://127.0.0.1:${port}` }
  },
  jwt: async ({ fastify }) => bearer((await fastify.tokens.issue({ identifier: 'alice' })).accessToken),
  apikey: async ({ fastify }) => bearer((await fastify.tokens.apiKeys.create('alice', { name: 'k' })).token),
  'HTTP Basic': async () => ({ authorization: `Basic ${Buffer.from(`alice:${PASSWORD}`).toString('base64')}` }),
  'an authenticator of the application': async () => ({ 'x-badge': 'alice' })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const subscribe = (socket: RpcSocket, channel: string) => socket.call('channel.subscribe', { channel })
const get = (socket: RpcSocket, path: string) => socket.call('api.request', { path })
const DENIED = { error: { code: -32003, data: { status: 403 } } }

for (const [title, prove] of Object.entries(proofs)) {
  t.test(`P1: a role that is taken away reaches the socket of ${title} with its next frame`, async (t) => {
    const app = await application(t)
    const socket = await app.rpc(await prove(app))
    for (const channel of ['admin:1', 'free:1', 'svc:alerts', 'svc:audit']) {
      t.match(await subscribe(socket, channel), { result: { channel } })
    }
    t.match(await get(socket, '/api/rooms/all'), { result: { status: 200 } })
    app.alice.roles = ['ROLE_USER']
    app.later()
    t.match(await get(socket, '/api/rooms/all'), DENIED)
    t.match(await subscribe(socket, 'admin:2'), DENIED)
    t.match(await subscribe(socket, 'svc:alerts'), DENIED)
    const dropped = socket.notices.filter(({ method }) => method === 'realtime.denied').map(({ params }) => params)
    t.same(dropped.slice(0, 3), [
      { channel: 'admin:1', reason: 'forbidden' },
      { channel: 'svc:alerts', reason: 'forbidden' },
      { channel: 'svc:audit', reason: 'forbidden' }
    ])
    socket.notices.length = 0
    app.fastify.realtime.publish('admin:1', 'secret')
    app.fastify.realtime.publish('free:1', 'for everyone')
    t.match(await socket.next(), { method: 'channel.message', params: { channel: 'free:1' } })
    t.match(await get(socket, '/api/rooms/mine'), { result: { body: { who: 'alice', roles: ['ROLE_USER'] } } })
    app.alice.roles = ['ROLE_ADMIN']
    app.later()
    t.match(await get(socket, '/api/rooms/all'), { result: { status: 200 } }, 'and a role that is given, too')
  })

  t.test(`A1: authority that is taken away reaches the socket of ${title} without a frame`, async (t) => {
    const app = await application(t)
    const socket = await app.rpc(await prove(app))
    await subscribe(socket, 'svc:alerts')
    app.alice.roles = []
    app.clock.advance(30_000)
    t.match(await socket.next(), { method: 'realtime.denied', params: { channel: 'svc:alerts', reason: 'forbidden' } })
  })

  t.test(`P1: a guarded WEBSOCKET route asks what ${title} may now`, async (t) => {
    const app = await application(t)
    const live = await SocketClient.opened(app.port, '/api/rooms/live', await prove(app))
    t.teardown(() => live.close())
    t.same(await live.ask('one'), { echo: 'one' })
    app.alice.roles = ['ROLE_USER']
    app.later()
    t.match(await live.ask('two'), { statusCode: 403 })
    t.match(await live.closed, { code: 1008 })
  })
}

t.test('P1: a voter that changes its mind takes the channel away, and gives it to who asks again', async (t) => {
  const app = await application(t)
  const socket = await app.rpc((await proofs.jwt?.(app)) ?? {})
  t.match(await subscribe(socket, 'room:1'), { result: {} })
  open = false
  app.later()
  t.match(await subscribe(socket, 'room:2'), DENIED)
  t.match(socket.notices.shift(), { method: 'realtime.denied', params: { channel: 'room:1', reason: 'forbidden' } })
  open = true
  t.match(await subscribe(socket, 'room:1'), { result: {} })
  open = false
  socket.notices.length = 0
  app.clock.advance(30_000)
  t.match(await socket.next(), { method: 'realtime.denied', params: { channel: 'room:1' } }, 'without a frame, too')
})

t.test('A1: a changed password ends the socket of HTTP Basic', async (t) => {
  const app = await application(t)
  const socket = await app.rpc((await proofs['HTTP Basic']?.(app)) ?? {})
  t.match(await subscribe(socket, 'free:1'), { result: {} })
  app.alice.password = await hashPassword('another', { ...CHEAP, parallelism: 1 })
  app.clock.advance(30_000)
  t.match(await socket.client.closed, { code: 4001 })
})

t.test(
  'A1: a second factor that is enrolled ends the socket of HTTP Basic, but where the zone takes passwords alone',
  async (t) => {
    const clock = new ManualClock()
    const totp = inMemory(totpStore, { clock })
    let enrolled = false
    const find = totp.find.bind(totp)
    const record = { id: 'alice', secretEnc: '', confirmedAt: 1, createdAt: 0, lastStep: null, recoveryHashes: [] }
    Object.assign(totp, { find: async (id: string) => (enrolled && id === 'alice' ? record : find(id)) })
    const area = { authenticators: ['userpassword'] }
    const app = await application(t, {
      stores: { totp },
      more: {
        totp: { encryptionKey: Buffer.alloc(32, 7).toString('base64') },
        areas: {
          api: { ...area, pattern: '^/api/rooms/live', basicWithoutSecondFactor: true },
          live: { ...area, pattern: '^/svc/realtime' }
        }
      }
    })
    const headers = (await proofs['HTTP Basic']?.(app)) ?? {}
    const strict = await app.rpc(headers)
    const alone = await SocketClient.opened(app.port, '/api/rooms/live', headers)
    t.teardown(() => alone.close())
    t.same(await alone.ask('one'), { echo: 'one' })
    enrolled = true
    app.later()
    strict.client.ws.send('{"jsonrpc":"2.0","method":"channel.subscribe","params":{"channel":"free:1"}}')
    t.match(await strict.client.closed, { code: 4001 })
    t.same(await alone.ask('two'), { echo: 'two' })
  }
)

t.test('A1: what is revoked of a user ends the socket of an authenticator of the application', async (t) => {
  const app = await application(t)
  const [here, elsewhere] = [await app.rpc({ 'x-badge': 'alice' }), await app.rpc({ 'x-badge': 'alice' })]
  t.match(await subscribe(here, 'free:1'), { result: {} })
  await app.fastify.tokens.revokeSubject('alice')
  t.match(await here.client.closed, { code: 4001 })
  t.match(await elsewhere.client.closed, { code: 4001 })
  app.clock.advance(1)
  const after = await app.rpc({ 'x-badge': 'alice' })
  t.match(await subscribe(after, 'free:1'), { result: {} }, 'what is proven afterwards holds')
})

t.test('A1: what another instance revoked is seen with the next check', async (t) => {
  const tokens = inMemory(tokensStore, { clock: new ManualClock() })
  const app = await application(t, { stores: { tokens } })
  const socket = await app.rpc({ 'x-badge': 'alice' })
  t.match(await subscribe(socket, 'free:1'), { result: {} })
  await tokens.invalidateBefore('alice', app.clock.now())
  app.later()
  socket.client.ws.send('{"jsonrpc":"2.0","method":"channel.subscribe","params":{"channel":"free:2"}}')
  t.match(await socket.client.closed, { code: 4001 })
})

t.test('A1: an authenticator keeps roles of its own; those that the user lost are gone', async (t) => {
  const own = (rolesOf: (identifier: string) => readonly string[]) =>
    badge((identifier) => [...rolesOf(identifier), 'ROLE_BADGE'])
  const app = await application(t, { badge: own })
  const socket = await app.rpc({ 'x-badge': 'alice' })
  t.match(await get(socket, '/api/rooms/all'), { result: { status: 200 } })
  app.alice.roles = ['ROLE_USER']
  app.later()
  t.match(await get(socket, '/api/rooms/all'), DENIED)
  t.match(await get(socket, '/api/rooms/mine'), { result: { body: { roles: ['ROLE_USER', 'ROLE_BADGE'] } } })
})

t.test(
  'P1: an authenticator may say in liveness what its identity may now; another subject ends the socket',
  async (t) => {
    let now = { identifier: 'alice', roles: ['ROLE_ADMIN'] }
    const live = (rolesOf: (identifier: string) => readonly string[]) =>
      badge(rolesOf, {
        liveness: () => ({ endsAt: () => null, check: () => ({ type: 'badge', user: now }) as never })
      })
    const app = await application(t, { badge: live })
    const socket = await app.rpc({ 'x-badge': 'alice' })
    t.match(await get(socket, '/api/rooms/all'), { result: { status: 200 } })
    now = { identifier: 'alice', roles: [] }
    app.later()
    t.match(await get(socket, '/api/rooms/all'), DENIED)
    now = { identifier: 'bob', roles: ['ROLE_ADMIN'] }
    app.later()
    socket.client.ws.send('{"jsonrpc":"2.0","method":"api.request","params":{"path":"/api/rooms/mine"}}')
    t.match(await socket.client.closed, { code: 4001 })
  }
)
