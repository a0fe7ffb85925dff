/** The receiver: signatures that hold and do not, every status, slow answers, and a memory with a bound. */
import { connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { ManualClock } from 'svc-stores/conformance'
import { generateSecret, signMessage } from 'svc-webhooks'
import t, { type Test } from 'tap'
import svcTest, { type SvcTestOptions } from '../../src/index.ts'

const RECEIVER = '/svc/test/webhooks'
const BODY = '{"id":"msg_1","type":"login.failure","data":{"outcome":"failure"}}'

async function receiver(t: Test, options: SvcTestOptions = {}) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  fastify.decorate('appHost', {
    name: 'app',
    root: '/',
    mode: 'test',
    checkOnly: false,
    importModule: async () => ({})
  })
  const clock = new ManualClock()
  await fastify.register(svcTest, { ...options, parts: { clock } })
  return { fastify, clock, secret: generateSecret() }
}

interface Sent {
  readonly secret: string
  readonly atMs: number
  readonly id?: string
  readonly body?: string
}

function signed({ secret, atMs, id = 'msg_1', body = BODY }: Sent) {
  const timestamp = Math.floor(atMs / 1000)
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signMessage(key, id, timestamp, body)
  }
}

function post(fastify: FastifyInstance, path: string, headers: Record<string, string>, body = BODY) {
  return fastify.inject({ method: 'POST', url: `${RECEIVER}${path}`, headers, payload: body })
}

async function received(fastify: FastifyInstance) {
  return (await fastify.inject(`${RECEIVER}/received`)).json() as { total: number; received: Record<string, unknown>[] }
}

t.test('a message that holds: 200, and shown whole', async (t) => {
  const { fastify, clock, secret } = await receiver(t)
  const headers = signed({ secret, atMs: clock.now() })
  const answer = await post(fastify, `/sink?secret=${encodeURIComponent(secret)}`, headers)
  t.strictSame([answer.statusCode, answer.json()], [200, { ok: true }])
  const shown = await received(fastify)
  t.match(shown, {
    total: 1,
    received: [
      {
        at: clock.now(),
        route: 'sink',
        id: 'msg_1',
        type: 'login.failure',
        verified: true,
        reason: null,
        repeat: false,
        status: 200,
        headers,
        body: BODY
      }
    ]
  })
  t.notOk(JSON.stringify(shown).includes(secret), 'without its secret')
})

t.test('a repeat is taken, and told', async (t) => {
  const { fastify, clock, secret } = await receiver(t)
  const path = `/sink?secret=${encodeURIComponent(secret)}`
  await post(fastify, path, signed({ secret, atMs: clock.now() }))
  clock.advance(5000)
  t.equal((await post(fastify, path, signed({ secret, atMs: clock.now() }))).statusCode, 200)
  t.match((await received(fastify)).received, [{ repeat: true }, { repeat: false }])
})

t.test('refusals', async (t) => {
  const { fastify, clock } = await receiver(t)
  const secret = `whsec_${Buffer.alloc(32, 0xfb).toString('base64')}`
  const encoded = encodeURIComponent(secret)
  const good = signed({ secret, atMs: clock.now() })
  const without = ({ ...headers }: Record<string, string>, name: string) => {
    delete headers[name]
    return headers
  }
  const rows: [
    name: string,
    query: string,
    headers: Record<string, string>,
    status: number,
    text: RegExp,
    body?: string
  ][] = [
    ['another secret', `?secret=${encodeURIComponent(generateSecret())}`, good, 401, /URL-encode \?secret=/],
    ['a secret that is not URL-encoded', `?secret=${secret}`, good, 401, /URL-encode \?secret=/],
    ['a body written again', `?secret=${encoded}`, good, 401, /bad signature/, BODY.replace(':', ': ')],
    ['no secret', '', good, 400, /secret is missing/],
    ['no id', `?secret=${encoded}`, without(good, 'webhook-id'), 400, /webhook-id is missing/],
    ['no timestamp', `?secret=${encoded}`, without(good, 'webhook-timestamp'), 400, /webhook-timestamp is missing/],
    ['no signature', `?secret=${encoded}`, without(good, 'webhook-signature'), 400, /webhook-signature is missing/],
    ['stale', `?secret=${encoded}`, signed({ secret, atMs: clock.now() - 412_000 }), 400, /stale timestamp: 412 s/],
    ['ahead', `?secret=${encoded}`, signed({ secret, atMs: clock.now() + 400_000 }), 400, /in the future/]
  ]
  for (const [name, query, headers, status, text, body] of rows) {
    const answer = await post(fastify, `/sink${query}`, headers, body)
    t.equal(answer.statusCode, status, name)
    t.match(answer.json().message, text, name)
  }
  const shown = await received(fastify)
  t.equal(shown.total, rows.length)
  t.ok(shown.received.every(({ verified, reason }) => verified === false && typeof reason === 'string'))
  t.equal((await post(fastify, `/sink?secret=${encoded}&secret=${encoded}`, good)).statusCode, 400, 'two secrets')
})

t.test('the tolerance is an option', async (t) => {
  const { fastify, clock, secret } = await receiver(t, { toleranceS: 10 })
  const path = `/sink?secret=${encodeURIComponent(secret)}`
  t.equal((await post(fastify, path, signed({ secret, atMs: clock.now() - 10_000 }))).statusCode, 200)
  t.equal((await post(fastify, path, signed({ secret, atMs: clock.now() - 11_000 }))).statusCode, 400)
})

t.test('any status', async (t) => {
  const { fastify } = await receiver(t)
  for (const code of [200, 204, 301, 304, 400, 404, 410, 429, 500, 503, 599]) {
    const answer = await post(fastify, `/sink/status/${code}`, {})
    t.equal(answer.statusCode, code)
    if (code === 301) t.equal(answer.headers.location, `${RECEIVER}/sink`)
    if (code === 204) t.equal(answer.body, '')
  }
  for (const code of ['0', '199', '600', 'x', '-1', '2e2x']) {
    t.equal((await post(fastify, `/sink/status/${code}`, {})).statusCode, 400, code)
  }
  t.match((await received(fastify)).received[0], { route: 'status', status: 599, verified: null, reason: null })
})

t.test('slowly: after its time, on the clock', async (t) => {
  const { fastify, clock } = await receiver(t)
  const answer = post(fastify, '/sink/slow?ms=15000', {})
  while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve))
  clock.advance(15_000)
  t.strictSame((await answer).json(), { ok: true, ms: 15_000 })
  t.equal(clock.pending, 0)
  for (const ms of ['', 'x', '-1', '600001']) {
    t.equal((await post(fastify, `/sink/slow?ms=${ms}`, {})).statusCode, 400, ms)
  }
})

t.test('a client that leaves, and a server that closes, leave no timer behind', async (t) => {
  const { fastify, clock } = await receiver(t)
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  const { port } = fastify.server.address() as { port: number }
  const ask = () => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.write(`POST ${RECEIVER}/sink/slow?ms=600000 HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`)
    return socket
  }
  const until = async (pending: number) => {
    while (clock.pending !== pending) await new Promise((resolve) => setImmediate(resolve))
  }
  const leaving = ask()
  await until(1)
  leaving.destroy()
  await until(0)
  const staying = ask()
  await until(1)
  const text = staying.setEncoding('utf8').toArray()
  await fastify.close()
  t.equal(clock.pending, 0)
  staying.end()
  t.match((await text).join(''), /^HTTP\/1\.1 200 /, 'who waits is answered')
})

t.test('memory has a bound, in messages and in bytes', async (t) => {
  const { fastify } = await receiver(t, { maxReceived: 3 })
  for (let index = 0; index < 5; index += 1) {
    await post(
      fastify,
      '/sink/status/200',
      { 'webhook-id': `m${index}`, 'user-agent': 'x'.repeat(5000) },
      'b'.repeat(100_000)
    )
  }
  const shown = await received(fastify)
  t.strictSame([shown.total, shown.received.map(({ id }) => id)], [5, ['m4', 'm3', 'm2']])
  t.ok(shown.received.every(({ body }) => String(body).length === 16_384))
  t.ok(JSON.stringify(shown).length < 3 * 20_000)
  t.equal((await post(fastify, '/sink/status/200', {}, 'b'.repeat(2_000_000))).statusCode, 413)
})

t.test('bytes are taken as they come, whatever they claim to be', async (t) => {
  const { fastify, clock, secret } = await receiver(t)
  const body = '{"type": 7, not json \u00e9'
  const path = `/sink?secret=${encodeURIComponent(secret)}`
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
    const headers = { ...signed({ secret, atMs: clock.now(), body }), 'content-type': type }
    t.equal((await post(fastify, path, headers, body)).statusCode, 200, type)
  }
  t.match((await received(fastify)).received[0], { type: null, body })
})
