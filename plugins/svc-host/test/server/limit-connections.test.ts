/** Connections of a port, in all and of one address: what is refused, before what, and how often that is logged. */
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { application } from '../../src/application/application.ts'
import type { ServerConfig } from '../../src/config/define-config.ts'
import { createServer } from '../../src/server/http.ts'
import { CONNECTIONS_PER_ADDRESS, limitConnections } from '../../src/server/limit-connections.ts'

interface Limited {
  readonly fastify: FastifyInstance
  readonly lines: { readonly code?: string; readonly address?: string; readonly open?: number }[]
  readonly handled: string[]
  time: number
}

async function limited(t: Test, config: ServerConfig): Promise<Limited> {
  const handled: string[] = []
  const lines: Limited['lines'] = []
  const fastify = Fastify({ logger: { level: 'warn', stream: { write: (line) => void lines.push(JSON.parse(line)) } } })
  const started: Limited = { fastify, lines, handled, time: 0 }
  limitConnections(fastify, config, { clock: { now: () => started.time } })
  fastify.get('/', async ({ ip }) => {
    handled.push(ip)
    return 'served'
  })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => fastify.close())
  return started
}

/** @param from an address of the loopback network */
async function opened(t: Test, { server }: FastifyInstance, from = '127.0.0.1'): Promise<Socket> {
  const { port } = server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port, localAddress: from })
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** What comes back for a request; the whole of it where the connection ends. */
async function asked(socket: Socket): Promise<string> {
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  let text = ''
  for await (const part of socket) {
    text += String(part)
    if (text.endsWith('served')) return text
  }
  return text
}

t.test('an address has as many connections as it may; another one is served', async (t) => {
  const given = await limited(t, { maxConnectionsPerAddress: 2 })
  const { fastify, lines, handled } = given
  const [first] = [await opened(t, fastify), await opened(t, fastify)]
  const refused = await asked(await opened(t, fastify))
  t.match(refused, /^HTTP\/1\.1 503 Service Unavailable\r\nconnection: close\r\n/)
  t.match(JSON.parse(refused.split('\r\n\r\n')[1] ?? ''), { statusCode: 503, code: 'SVC_HTTP_CONNECTIONS' })
  t.strictSame(handled, [], 'nothing was handled')
  t.match(await asked(await opened(t, fastify, '127.0.0.2')), /served$/)
  t.match(lines, [{ code: 'SVC_HTTP_CONNECTIONS', address: '127.0.0.1', open: 2 }])

  await asked(await opened(t, fastify))
  t.equal(lines.length, 1, 'an address is logged once a minute')
  given.time = 60_000
  await asked(await opened(t, fastify))
  t.equal(lines.length, 2)

  first.destroy()
  let answer = ''
  while (!answer.endsWith('served')) answer = await asked(await opened(t, fastify))
  t.equal(handled.at(-1), '127.0.0.1', 'a connection that ended makes room')
})

t.test('a port has as many connections as it may, of whatever address', async (t) => {
  const { fastify, lines } = await limited(t, { maxConnections: 2 })
  await opened(t, fastify)
  await opened(t, fastify, '127.0.0.2')
  t.match(await asked(await opened(t, fastify, '127.0.0.3')), /503/)
  t.match(lines, [{ address: '127.0.0.3', open: 0, total: 2 }])
})

t.test('the defaults: a limit per address, and none behind a proxy', async (t) => {
  const listeners = ({ server }: FastifyInstance) => server.listeners('connection').map((each) => each.name)
  const plain = listeners(Fastify())
  for (const [config, isLimited] of [
    [{}, true],
    [{ trustProxy: true }, false],
    [{ maxConnectionsPerAddress: 0 }, false],
    [{ trustProxy: '127.0.0.1', maxConnectionsPerAddress: 5 }, true]
  ] as const) {
    const fastify = Fastify()
    limitConnections(fastify, config)
    t.equal(listeners(fastify).join() !== plain.join(), isLimited, JSON.stringify(config))
  }
  t.ok(CONNECTIONS_PER_ADDRESS >= 1000)
})

t.test('an application has the limits of its config', async (t) => {
  const app = application({ mode: 'test', server: { maxConnections: 1 }, modules: [] }, import.meta.url)
  const fastify = await createServer(app)
  t.teardown(() => fastify.close())
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  await opened(t, fastify)
  t.match(await asked(await opened(t, fastify)), /SVC_HTTP_CONNECTIONS/)
  const wrong = application({ mode: 'test', server: { maxConnections: -1 }, modules: [] }, import.meta.url)
  await t.rejects(createServer(wrong), { code: 'SVC_KERNEL_OPTIONS' })
})
