/** Requests that no route ever sees, over plain sockets and over TLS: one error body, a stable code, nothing echoed. */
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { application } from '../../src/application/application.ts'
import type { ServerConfig } from '../../src/config/define-config.ts'
import { createServer } from '../../src/server/http.ts'
import { attachTls } from '../../src/tls/tls-listener.ts'

function statusOf(answer: string): number {
  return Number(answer.split(' ')[1])
}

function bodyOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
}

type Dial = () => Socket

/** One application, and how to reach it in clear text and over TLS. */
async function served(t: Test, server: ServerConfig = {}): Promise<Record<'http' | 'https', Dial>> {
  const folder = t.testdir({ 'package.json': '{"name":"shop"}' })
  const routes = async (fastify: FastifyInstance): Promise<void> => {
    fastify.get('/', async () => 'ok')
    fastify.get('/items/:id', async () => 'ok')
    fastify.post('/', async () => 'ok')
  }
  const config = { mode: 'test', server: { https: true, ...server }, modules: [routes] } as const
  const app = application(config, `file://${folder}/a.js`)
  const fastify = await createServer(app)
  const tls = await attachTls(fastify, app)
  await fastify.ready()
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  await tls.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => fastify.close())
  const portOf = ({ address }: { address(): unknown }) => (address() as AddressInfo).port
  const plain = portOf({ address: () => fastify.server.address() })
  const secure = portOf({ address: () => tls.server.address() })
  return {
    http: () => connect(plain, '127.0.0.1'),
    https: () => connectTls({ port: secure, host: '127.0.0.1', rejectUnauthorized: false })
  }
}

/** Writes, and reads to the end of the connection. */
async function exchanged(dial: Dial, text: string): Promise<string> {
  const socket = dial()
  let answer = ''
  socket.on('error', () => {})
  socket.setEncoding('latin1').on('data', (more: string) => {
    answer += more
  })
  socket.write(text)
  await once(socket, 'close')
  return answer
}

const CLOSE = 'Host: a\r\nConnection: close\r\n'
const REFUSED: ReadonlyArray<readonly [what: string, request: string, status: number, code: string]> = [
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'SVC_HTTP_400'],
  ['a header without a name', 'GET / HTTP/1.1\r\n: x\r\n\r\n', 400, 'SVC_HTTP_400'],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400, 'SVC_HTTP_400'],
  ['headers too large', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'SVC_HTTP_431'],
  ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'SVC_HTTP_400'],
  ['an expectation', `GET / HTTP/1.1\r\n${CLOSE}Expect: 200-maybe\r\n\r\n`, 417, 'SVC_HTTP_417'],
  ['a path that cannot be decoded', `GET /%zz${'y'.repeat(99)} HTTP/1.1\r\n${CLOSE}\r\n`, 400, 'FST_ERR_BAD_URL'],
  ['a parameter too long', `GET /items/${'y'.repeat(8000)} HTTP/1.1\r\n${CLOSE}\r\n`, 414, 'FST_ERR_MAX_PARAM_LENGTH']
]

t.test('R10: what cannot be read is answered in the one error body, on both ports', async (t) => {
  const ports = await served(t)
  for (const [port, dial] of Object.entries(ports)) {
    for (const [what, request, statusCode, code] of REFUSED) {
      const answer = await exchanged(dial, request)
      t.equal(statusOf(answer), statusCode, `${port}: ${what}`)
      t.match(answer, /\r\ncontent-type: application\/json; charset=utf-8\r\n/i)
      const body = bodyOf(answer) as Record<string, unknown>
      t.strictSame(Object.keys(body), ['statusCode', 'code', 'error', 'message'])
      t.match(body, { statusCode, code, error: String, message: /^\w/ })
      t.notMatch(answer, /x{9}|y{9}|maybe/, 'nothing of the request comes back')
    }
  }
})

t.test('R10: what is right is served: no host in HTTP/1.0, and 100-continue', async (t) => {
  const { http } = await served(t)
  t.match(await exchanged(http, 'GET / HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
  const body = 'Content-Type: text/plain\r\nContent-Length: 1\r\nExpect: 100-continue\r\n'
  t.match(await exchanged(http, `POST / HTTP/1.1\r\n${CLOSE}${body}\r\nx`), /^HTTP\/1\.1 100 [\s\S]*HTTP\/1\.1 200 /)
})

t.test('R10: an answer that has begun is not followed by another one', async (t) => {
  const { http } = await served(t)
  const answer = await exchanged(http, `GET / HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n`)
  t.equal(answer.match(/^HTTP\/1\.1 /gm)?.length, answer.match(/^content-length: /gim)?.length)
  t.match(answer, /^HTTP\/1\.1 (?:200|400) /)
})

t.test('R7: a body or a head that does not come in whole in time is answered 408, and closed', async (t) => {
  const ports = await served(t, { requestTimeout: 300 })
  const body = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nhalf'
  const slow = Object.entries(ports).flatMap(([port, dial]) =>
    [body, 'GET / HTTP/1.1\r\nHost'].map(async (text) => {
      const answer = await exchanged(dial, text)
      t.equal(statusOf(answer), 408, `${port}: ${JSON.stringify(text.slice(-4))}`)
      t.match(bodyOf(answer), { statusCode: 408, code: 'SVC_HTTP_408', error: 'Request Timeout' })
    })
  )
  await Promise.all(slow)
})

t.test('R7: 60 seconds, unless the application says', async (t) => {
  const app = (server: ServerConfig) => application({ mode: 'test', server, modules: [] }, import.meta.url)
  for (const [server, expected] of [
    [{}, 60_000],
    [{ requestTimeout: 5000 }, 5000],
    [{ requestTimeout: 0 }, 0]
  ] as const) {
    const fastify = await createServer(app(server))
    t.equal(fastify.server.requestTimeout, expected)
    await fastify.close()
  }
})
