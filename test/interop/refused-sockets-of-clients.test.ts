/** What a client learns of a WebSocket that the server refuses to open, for which a WebSocket itself has no words. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CallError, type ClientOptions, createClient } from 'svc-client'
import { controller, Get, IsGranted, Message, WebSocket as OnMessage, RateLimit, route } from 'svc-decorators'
import svcLimits from 'svc-limits'
import svcRealtime from 'svc-realtime'
import t, { type Test } from 'tap'
import { WebSocket as WsSocket } from 'ws'
import { startApp } from '../support/start-app.ts'

@controller('/api')
class Feeds {
  @OnMessage('/feeds/:feed')
  feed(@Message() text: string) {
    return { text }
  }

  @IsGranted('ROLE_EDITOR')
  @OnMessage('/drafts')
  draft(@Message() text: string) {
    return { text }
  }

  @OnMessage('/full', { onRequest: async () => Promise.reject(Object.assign(new Error('full'), { statusCode: 503 })) })
  full(@Message() text: string) {
    return { text }
  }

  @RateLimit({ rate: '1/min', by: 'address' })
  @OnMessage('/counted')
  counted(@Message() text: string) {
    return { text }
  }

  @Get('/page')
  page() {
    return { page: true }
  }

  @route('feeds.both', { path: '/both', methods: ['GET', 'WEBSOCKET'] })
  both() {
    return []
  }
}

interface Shape {
  readonly input: { readonly params?: { readonly feed: string } }
  readonly message: string
  readonly answer: object
  readonly errors: object
}

type Routes = Readonly<Record<`WEBSOCKET /${string}`, Shape>>

const badge = {
  carrier: 'header' as const,
  supports: ({ headers }: { headers: Readonly<Record<string, unknown>> }) => headers['x-badge'] !== undefined,
  createToken: ({ headers }: { headers: Readonly<Record<string, unknown>> }) => headers['x-badge'],
  authenticate: (name: unknown) => ({ type: 'badge', user: { identifier: String(name), roles: [`ROLE_${name}`] } })
}

async function feeds(t: Test) {
  const { port } = await startApp(t, {
    security: { areas: { api: { pattern: '^/', authenticators: ['badge'] } }, parts: { authenticators: { badge } } },
    modules: [
      [svcLimits, { sockets: { perAddress: 3 } }],
      [svcRealtime, { channels: [{ pattern: '*', anonymous: true }] }]
    ],
    controllers: [Feeds]
  })
  return (options: ClientOptions = {}) => createClient<Routes>({ baseUrl: `http://127.0.0.1:${port}`, ...options })
}

/** A client whose sockets and requests prove the same caller. */
const as = (name: string): ClientOptions => ({
  headers: { 'x-badge': name },
  openSocket: (url) => new WsSocket(url, { headers: { 'x-badge': name } })
})

async function refusal(opening: Promise<unknown>): Promise<CallError> {
  try {
    await opening
  } catch (error) {
    if (error instanceof CallError) return error
    throw error
  }
  throw new Error('the socket is open')
}

/** Of a server that has gone. */
async function nowhere(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

t.test('a refused socket says with which status and code the server refuses its caller', async (t) => {
  const client = await feeds(t)
  const feed = { params: { feed: 'a' } }
  const closed = { status: 0, code: 'SVC_CLIENT_CLOSED', message: 'the socket did not open' }
  const cases: readonly (readonly [what: string, got: CallError, expected: object])[] = [
    [
      'no proof',
      await refusal(client().subscribe('WEBSOCKET /api/feeds/:feed', feed)),
      { status: 401, code: 'SVC_SEC_UNAUTHENTICATED', data: { statusCode: 401 } }
    ],
    ['no proof, realtime', await refusal(client().connect()), { status: 401, code: 'SVC_SEC_UNAUTHENTICATED' }],
    [
      'a proof that the socket does not have, in headers of requests alone',
      await refusal(client({ headers: { 'x-badge': 'EDITOR' } }).subscribe('WEBSOCKET /api/drafts')),
      { status: 401, code: 'SVC_SEC_UNAUTHENTICATED' }
    ],
    [
      'nor in an interceptor',
      await refusal(
        client({
          interceptors: [(request, next) => next(new Request(request, { headers: { 'x-badge': 'EDITOR' } }))]
        }).subscribe('WEBSOCKET /api/drafts')
      ),
      { status: 401, code: 'SVC_SEC_UNAUTHENTICATED' }
    ],
    [
      'no role',
      await refusal(client(as('READER')).subscribe('WEBSOCKET /api/drafts')),
      { status: 403, code: 'SVC_SEC_DENIED' }
    ],
    [
      'no route',
      await refusal(client(as('EDITOR')).subscribe('WEBSOCKET /api/none')),
      { status: 404, code: 'SVC_HTTP_NOT_FOUND' }
    ],
    ['an outage', await refusal(client(as('EDITOR')).subscribe('WEBSOCKET /api/full')), { status: 503 }],
    [
      'a page, which has no error for a request',
      await refusal(client(as('EDITOR')).subscribe('WEBSOCKET /api/page')),
      closed
    ],
    [
      'a socket that lacks what requests prove: the answer to these is no error',
      await refusal(
        client({ ...as('EDITOR'), openSocket: (url) => new WebSocket(url) }).subscribe('WEBSOCKET /api/both')
      ),
      closed
    ],
    [
      'the same of a route that answers sockets alone',
      await refusal(client({ ...as('EDITOR'), openSocket: (url) => new WebSocket(url) }).connect()),
      { ...closed, cause: { status: 426, code: 'SVC_WS_UPGRADE_REQUIRED' } }
    ]
  ]
  for (const [what, got, expected] of cases) t.match(got, expected, what)
})

t.test('a limit of a route tells when to come back; that of sockets is told where no GET answers', async (t) => {
  const api = (await feeds(t))(as('EDITOR'))
  const streams = [await api.subscribe('WEBSOCKET /api/counted')]
  const { retryAfterS, ...counted } = await refusal(api.subscribe('WEBSOCKET /api/counted'))
  t.match(counted, { status: 429, code: 'SVC_LIMIT_EXCEEDED' })
  t.ok(Number(retryAfterS) > 0)
  streams.push(await api.subscribe('WEBSOCKET /api/drafts'), await api.subscribe('WEBSOCKET /api/drafts'))
  t.match(await refusal(api.subscribe('WEBSOCKET /api/drafts')), { status: 429, code: 'SVC_LIMIT_SOCKETS' })
  t.match(await refusal(api.connect()), { status: 429, code: 'SVC_LIMIT_SOCKETS' })
  t.match(await refusal(api.subscribe('WEBSOCKET /api/both')), { status: 0, code: 'SVC_CLIENT_CLOSED' })
  for (const stream of streams) stream.close()
})

t.test('who may open a socket opens it, and asks nothing besides', async (t) => {
  const client = await feeds(t)
  const asked: string[] = []
  const fetch = async ({ url }: Request) => {
    asked.push(url)
    throw new Error('nothing asks')
  }
  const api = client({ ...as('EDITOR'), fetch })
  const streams = [
    await api.subscribe('WEBSOCKET /api/feeds/:feed', { params: { feed: 'a' } }),
    await api.subscribe('WEBSOCKET /api/drafts')
  ]
  for (const stream of streams) {
    stream.send('hi')
    t.strictSame(await stream.next(), { text: 'hi' })
    stream.close()
  }
  const live = await api.connect()
  await live.close()
  t.strictSame(asked, [])
})

t.test('a server that has no svc: its status, its Retry-After, and one request', async (t) => {
  const asked: string[] = []
  const server = createServer(({ method, url, headers }, response) => {
    if (headers.upgrade === undefined) asked.push(`${method} ${url}`)
    response.writeHead(429, { 'retry-after': '7', connection: 'close' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/under`
  const api = createClient<Routes>({ baseUrl, retry: { times: 3, delayMs: 1, longestMs: 60_000 } })
  const given = { params: { feed: 'a:b*' }, query: { since: 3 } } as object
  t.match(await refusal(api.subscribe('WEBSOCKET /api/feeds/:feed', given)), {
    status: 429,
    code: 'SVC_CLIENT_STATUS',
    retryAfterS: 7
  })
  t.match(await refusal(createClient({ baseUrl: await nowhere() }).connect()), {
    status: 0,
    code: 'SVC_CLIENT_CLOSED',
    cause: { code: 'SVC_CLIENT_NETWORK' }
  })
  t.strictSame(asked, ['GET /under/api/feeds/a%3Ab*?since=3'])
})
