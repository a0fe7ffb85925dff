/**
 * An open WebSocket and the user behind it: whatever proved the identity, it is looked at again before each message and
 * from time to time without one, on a controller's route and on the realtime socket alike.
 */
import { controller, Message, WebSocket } from 'svc-decorators'
import svcRealtime from 'svc-realtime'
import type { AuthenticationContext, Authenticator } from 'svc-security'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { accountApp, PASSWORD } from '../support/account-app.ts'
import { RpcSocket } from '../support/rpc-socket.ts'
import { SocketClient } from '../support/socket-client.ts'
import { startApp } from '../support/start-app.ts'

@controller('/api')
class Echo {
  @WebSocket('/echo')
  echo(@Message() text: string): unknown {
    return { echo: text }
  }
}

/** An application's own way to prove who calls, as short as one can write it. */
const badge = (more: Partial<Authenticator> = {}, proof: object = {}): Authenticator => ({
  carrier: 'header',
  supports: ({ headers }: AuthenticationContext) => headers['x-badge'] !== undefined,
  createToken: ({ headers }: AuthenticationContext) => headers['x-badge'],
  authenticate: (name) => ({ type: 'badge', user: { identifier: String(name), roles: [] }, ...proof }),
  ...more
})

const zone = { pattern: '^/(?:api|svc/realtime)', authenticators: ['userpassword', 'badge'] }
const channels = [{ pattern: '*', anonymous: true }]

const proofs: Record<string, Record<string, string>> = {
  'HTTP Basic': { authorization: `Basic ${Buffer.from(`alice:${PASSWORD}`).toString('base64')}` },
  'an authenticator of the application': { 'x-badge': 'alice' }
}

async function application(t: Test, authenticator = badge()) {
  const app = await accountApp(t, {
    security: { areas: { live: zone } },
    parts: { authenticators: { badge: authenticator } },
    modules: [[svcRealtime, { channels }]],
    controllers: [Echo]
  })
  const open = async (headers: Record<string, string>) => {
    const echo = await SocketClient.opened(app.port, '/api/echo', headers)
    const rpc = await RpcSocket.open(app.port, headers)
    for (const client of [echo, rpc.client]) t.teardown(() => client.close())
    const listen = () => rpc.call('channel.subscribe', { channel: 'news' })
    await rpc.next()
    t.strictSame(await echo.ask('hi'), { echo: 'hi' })
    t.match(await listen(), { result: {} })
    return { echo, rpc, listen, closed: () => Promise.all([echo.closed, rpc.client.closed]) }
  }
  return { ...app, open }
}

const OVER = [{ code: 4001 }, { code: 4001 }]

for (const [title, headers] of Object.entries(proofs)) {
  t.test(`S6: a socket opened with ${title} ends with the next message after its user is locked`, async (t) => {
    const { alice, clock, open, records } = await application(t)
    const { echo, rpc, closed } = await open(headers)
    alice.locked = true
    clock.advance(250)
    echo.ws.send('still there?')
    rpc.client.ws.send('{"jsonrpc":"2.0","method":"channel.subscribe","params":{"channel":"more"}}')
    t.match(await closed(), OVER)
    const refused = records.filter(({ action }) => action === 'frame.denied')
    t.match(refused, [
      { reason: 'identity_over', actor: 'alice' },
      { reason: 'identity_over', actor: 'alice' }
    ])
  })

  t.test(`S6: a socket opened with ${title} ends without a message, too`, async (t) => {
    const { alice, clock, open } = await application(t)
    const { closed } = await open(headers)
    alice.enabled = false
    clock.advance(60_000)
    t.match(await closed(), OVER)
  })

  t.test(`S6: while the users of ${title} cannot be asked, messages are 503 and sockets stay`, async (t) => {
    const { book, clock, open, lines } = await application(t)
    const { echo, listen, closed } = await open(headers)
    book.failure = new Error('connect ECONNREFUSED')
    clock.advance(250)
    t.match(await echo.ask('one'), { statusCode: 503, code: 'SVC_SEC_UNAVAILABLE' })
    t.match(await listen(), { error: { code: -32000, data: { status: 503, code: 'SVC_SEC_UNAVAILABLE' } } })
    t.match(await echo.ask('two'), { statusCode: 503 })
    const told = lines.filter(({ msg }) => /identities of open WebSockets/.test(String(msg)))
    t.equal(told.length, 1, 'one line for all sockets and messages')
    book.failure = null
    clock.advance(250)
    t.strictSame(await echo.ask('three'), { echo: 'three' })
    t.match(await listen(), { result: {} })
    book.failure = new Error('connect ECONNREFUSED')
    clock.advance(60_000)
    t.match(await echo.ask('four'), { statusCode: 503 })
    t.match(await listen(), { error: { code: -32000 } })
    clock.advance(60_000)
    t.match(await closed(), OVER, 'without an answer for a minute they end')
  })
}

t.test('S6: in mode all each proof is looked at, with its own token', async (t) => {
  let holds = true
  const pass = badge({ liveness: () => ({ endsAt: () => null, check: () => holds }) })
  const { alice, clock, port } = await accountApp(t, {
    security: { areas: { live: { ...zone, mode: 'all' } } },
    parts: { authenticators: { badge: pass } },
    controllers: [Echo]
  })
  const headers = { ...proofs['HTTP Basic'], 'x-badge': 'alice' }
  const first = await SocketClient.opened(port, '/api/echo', headers)
  const second = await SocketClient.opened(port, '/api/echo', headers)
  for (const client of [first, second]) t.teardown(() => client.close())
  t.strictSame(await first.ask('hi'), { echo: 'hi' })
  holds = false
  clock.advance(250)
  first.ws.send('hi')
  t.match(await first.closed, { code: 4001 })
  holds = true
  alice.locked = true
  second.ws.send('hi')
  t.match(await second.closed, { code: 4001 })
})

t.test('C1: a token of the application ends its socket at the time that it names', async (t) => {
  const { clock, open } = await application(t, badge({}, { expiresAt: new ManualClock().now() + 30_000 }))
  const { closed } = await open({ 'x-badge': 'alice' })
  clock.advance(30_000)
  t.match(await closed(), OVER)
})

t.test('C1: a subject that is no user of the application keeps no socket, and the log says what to do', async (t) => {
  const { lines, port } = await application(t)
  const socket = await SocketClient.opened(port, '/api/echo', { 'x-badge': 'a-machine' })
  socket.ws.send('hi')
  t.match(await socket.closed, { code: 4001 })
  t.match(
    lines.filter(({ code }) => code === 'SVC_SEC_SUBJECT_UNKNOWN'),
    [{ at: 'authenticator badge', fix: /liveness/ }]
  )
})

for (const [title, authenticator, realtime, expected] of [
  ['without accounts and liveness', badge(), true, ['SVC_SEC_NO_LIVENESS']],
  ['with liveness', badge({ liveness: () => ({ endsAt: () => null, check: () => true }) }), true, []],
  ['in a zone that lends sockets no identity', badge(), false, []]
] as const) {
  t.test(`C1: boot, ${title}`, async (t) => {
    const { lines } = await startApp(t, {
      security: {
        areas: { live: { ...zone, realtime, authenticators: ['badge'] } },
        parts: { authenticators: { badge: authenticator } }
      },
      controllers: [Echo]
    })
    const codes = lines.filter(({ level }) => level === 40).map(({ code }) => code)
    t.strictSame(codes, expected)
  })
}
