/** One application on two ports: real TLS, the made certificate trusted by name. */
import { once } from 'node:events'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { Agent, get, request } from 'node:https'
import { type AddressInfo, connect as connectPlain } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { application } from '../../src/application/application.ts'
import type { ModuleEntry, ServerConfig } from '../../src/config/define-config.ts'
import { createServer } from '../../src/server/http.ts'
import { httpsCertificate } from '../../src/tls/https-certificate.ts'
import type { TlsListener } from '../../src/tls/tls-listener.ts'
import { attachTls } from '../../src/tls/tls-listener.ts'

interface Served {
  fastify: FastifyInstance
  tls: TlsListener
  url: string
  port: number
  ca: string
  plainUrl: string
}

async function served(t: Test, module: ModuleEntry, server: ServerConfig = {}): Promise<Served> {
  const folder = t.testdir({ 'package.json': '{"name":"shop"}' })
  const app = application(
    { mode: 'test', server: { https: true, ...server }, modules: [module] },
    `file://${folder}/a.js`
  )
  const fastify = await createServer(app)
  const tls = await attachTls(fastify, app)
  t.teardown(async () => {
    const closed = fastify.close()
    tls.cut()
    await closed
  })
  await fastify.ready()
  const plainUrl = await fastify.listen({ host: '127.0.0.1', port: 0 })
  const url = await tls.listen({ host: '127.0.0.1', port: 0 })
  const { port } = tls.server.address() as AddressInfo
  return { fastify, tls, url, port, ca: (await httpsCertificate(app)).cert, plainUrl }
}

async function asked(url: string, ca: string, agent?: Agent): Promise<{ status: number | undefined; body: string }> {
  const [response] = (await once(get(url, { ca, ...(agent === undefined ? {} : { agent }) }), 'response')) as [
    IncomingMessage
  ]
  return { status: response.statusCode, body: await text(response) }
}

async function secured(port: number, ca: string): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', ca })
  await once(socket, 'secureConnect')
  return socket
}

function turnstile(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const whoami: ModuleEntry = async (fastify: FastifyInstance) => {
  fastify.get('/', async ({ protocol, host }) => ({ protocol, host }))
  fastify.post('/', async ({ body }) => body)
}

t.test('both ports answer, and each request knows which', async (t) => {
  const { url, plainUrl, ca, port } = await served(t, whoami)
  t.strictSame(JSON.parse((await asked(url, ca)).body), { protocol: 'https', host: `127.0.0.1:${port}` })
  t.strictSame(JSON.parse((await asked(`https://localhost:${port}/`, ca)).body).host, `localhost:${port}`)
  t.strictSame(await (await fetch(plainUrl)).json(), { protocol: 'http', host: new URL(plainUrl).host })
  t.equal((await asked(`${url}/none`, ca)).status, 404)
  await t.rejects(asked(url, ''), { code: /SELF_SIGNED/ }, 'who does not know the certificate does not trust it')
})

t.test('a body that waits for its invitation', async (t) => {
  const { url, ca } = await served(t, whoami)
  const call = request(url, {
    method: 'POST',
    ca,
    headers: { expect: '100-continue', 'content-type': 'application/json', 'content-length': 7 }
  })
  call.flushHeaders()
  await once(call, 'continue')
  call.end('{"a":1}')
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  t.equal(await text(response), '{"a":1}')
})

t.test('an expectation nobody meets, and what is no HTTP', async (t) => {
  const { port, ca } = await served(t, whoami)
  const expecting = await secured(port, ca)
  expecting.end('GET / HTTP/1.1\r\nhost: a\r\nexpect: wonders\r\nconnection: close\r\n\r\n')
  t.match(await text(expecting), /^HTTP\/1\.1 417 /)
  const muttering = await secured(port, ca)
  muttering.end('mutter\r\n\r\n')
  t.match(await text(muttering), `HTTP/1.1 400 ${STATUS_CODES[400]}`)
  const plain = connectPlain(port, '127.0.0.1')
  plain.on('error', () => undefined).end('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  plain.resume()
  await once(plain, 'close')
  t.pass('who speaks plain HTTP to it is let go')
})

t.test('upgrades arrive where somebody takes them, and are plain requests elsewhere', async (t) => {
  const upgrade = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n'
  const echoing: ModuleEntry = async (fastify: FastifyInstance) => {
    fastify.server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n')
      socket.pipe(socket)
    })
  }
  const echo = await served(t, echoing)
  const socket = await secured(echo.port, echo.ca)
  socket.write(upgrade)
  t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 101 /)
  socket.write('hello')
  t.equal(String((await once(socket, 'data'))[0]), 'hello')
  const plain = await served(t, whoami)
  const refused = await secured(plain.port, plain.ca)
  refused.write(upgrade)
  t.match(String((await once(refused, 'data'))[0]), /^HTTP\/1\.1 200 /)
})

t.test('the limits of the server hold on both ports', async (t) => {
  const limits = { keepAliveTimeout: 1234, requestTimeout: 2345, maxRequestsPerSocket: 7, connectionTimeout: 3456 }
  const { tls, fastify } = await served(t, whoami, limits)
  const { connectionTimeout: timeout, ...same } = limits
  t.match(tls.server, { ...same, timeout })
  fastify.server.keepAliveTimeout = 99
  tls.follow()
  t.equal(tls.server.keepAliveTimeout, 99)
})

t.test('a stop finishes what runs, lets go of who is silent, and closes the modules last', async (t) => {
  const events: string[] = []
  const { promise: gate, resolve: open } = turnstile()
  const { promise: begun, resolve: begin } = turnstile()
  const slow: ModuleEntry = async (fastify: FastifyInstance) => {
    fastify.get('/', async () => ({}))
    fastify.get('/slow', async () => {
      begin()
      await gate
      events.push('answered')
      return { done: true }
    })
    fastify.addHook('onClose', async () => {
      events.push('module closed')
    })
    fastify.addHook('preClose', async () => {
      events.push('closing')
      open()
    })
  }
  const { fastify, url, ca, port } = await served(t, slow)
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  await asked(url, ca, agent)
  const silent = await secured(port, ca)
  const running = asked(`${url}/slow`, ca)
  await begun
  const gone = once(
    silent.on('error', () => undefined),
    'close'
  )
  await fastify.close()
  t.strictSame(await running, { status: 200, body: '{"done":true}' })
  await gone
  t.strictSame(events, ['closing', 'answered', 'module closed'])
  await t.rejects(asked(url, ca), { code: 'ECONNREFUSED' })
})

t.test('forceCloseConnections: true cuts on both ports', async (t) => {
  const { promise: begun, resolve: begin } = turnstile()
  const stuck: ModuleEntry = async (fastify: FastifyInstance) => {
    fastify.get('/', () => {
      begin()
      return new Promise(() => undefined)
    })
  }
  const { fastify, url, ca } = await served(t, stuck, { forceCloseConnections: true })
  const cut = t.rejects(asked(url, ca), { code: 'ECONNRESET' })
  await begun
  await fastify.close()
  await cut
})

t.test('the TLS port has the limit of connections of the config, for itself', async (t) => {
  const { port, ca, url, plainUrl } = await served(t, whoami, { maxConnectionsPerAddress: 2 })
  const kept = [await secured(port, ca), await secured(port, ca)]
  t.teardown(() => kept.map((socket) => socket.destroy()))
  await t.rejects(secured(port, ca), { code: 'ECONNRESET' })
  t.equal((await fetch(`${plainUrl}/`)).status, 200)
  for (const socket of kept) socket.destroy()
  let answer: Awaited<ReturnType<typeof asked>> | undefined
  while (answer === undefined) answer = await asked(url, ca).catch(() => undefined)
  t.equal(answer.status, 200, 'connections that ended make room')
})
