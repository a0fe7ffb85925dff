/** A server that closes is not held by connections that ask for nothing. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { releaseConnections } from '../../src/server/release-connections.ts'

async function listening(t: Test, routes: (fastify: FastifyInstance) => void = () => {}): Promise<FastifyInstance> {
  // Nothing but the release may end a connection: every timeout is off.
  const fastify = createFastify({
    forceCloseConnections: 'idle',
    keepAliveTimeout: 0,
    requestTimeout: 0,
    connectionTimeout: 0
  })
  releaseConnections(fastify, { graceMs: 10_000 })
  routes(fastify)
  t.teardown(() => fastify.close())
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  return fastify
}

async function connected(t: Test, fastify: FastifyInstance): Promise<Socket> {
  const accepted = once(fastify.server, 'connection')
  const socket = connect((fastify.server.address() as { port: number }).port, '127.0.0.1')
  socket.on('error', () => {})
  t.teardown(() => socket.destroy())
  await accepted
  return socket
}

t.test('a connection that never spoke', async (t) => {
  const fastify = await listening(t)
  const socket = await connected(t, fastify)
  const ended = once(socket, 'close')
  await fastify.close()
  await ended
  t.pass('closed')
})

t.test('a connection that becomes idle once the server is closed: answered, then ended', async (t) => {
  const work = turnstile()
  const began = turnstile()
  const fastify = await listening(t, (routes) => {
    routes.get('/', async () => {
      began.open()
      await work.opened
      return 'finished'
    })
  })
  const socket = await connected(t, fastify)
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await began.opened
  const ended = once(socket, 'close')
  const closed = fastify.close()
  while (fastify.server.listening) await nextTurn()
  work.open()
  await closed
  await ended
  t.match(answer, /^HTTP\/1\.1 200 OK[\s\S]*finished$/)
})

function turnstile(): { opened: Promise<void>; open: () => void } {
  let open: (() => void) | undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open?.() }
}

t.test('the look after connections ends with the server, and never begins without one', async (t) => {
  const { setInterval } = globalThis
  const timers: NodeJS.Timeout[] = []
  t.capture(globalThis, 'setInterval', (work: () => void, ms: number) => {
    const timer = setInterval(work, ms)
    timers.push(timer)
    return timer
  })
  const ended = t.capture(globalThis, 'clearInterval', globalThis.clearInterval)
  const silent = createFastify()
  releaseConnections(silent, { graceMs: 10_000 })
  await silent.close()
  t.equal(timers.length, 0)

  const fastify = await listening(t)
  await fastify.close()
  t.equal(timers.length, 1)
  t.equal(timers[0]?.hasRef(), false)
  t.same(
    ended().map(({ args: [timer] }) => timer),
    timers
  )
})
