/** WebSockets per network: the one too many, when a place is free again, and what is not counted. */
import { once } from 'node:events'
import websocket from '@fastify/websocket'
import Fastify from 'fastify'
import svcLimits from 'svc-limits'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { portOf } from '../../support/ports.ts'

const REFUSED = 'Unexpected server response: 429'

async function socketApp(t: Test, perAddress: number) {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (text: string) => void lines.push(JSON.parse(text)) }
  const fastify = Fastify({ logger: { level: 'warn', stream } })
  t.teardown(() => fastify.close())
  await fastify.register(svcLimits, { sockets: { perAddress } })
  await fastify.register(websocket)
  fastify.get('/closed', { websocket: true, preValidation: refuse }, () => undefined)
  fastify.get('/open', { websocket: true }, (socket) => socket.send('open'))
  fastify.get('/plain', async () => 'plain')
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  const open = async (path: string): Promise<WebSocket | string> => {
    const socket = new WebSocket(`ws://127.0.0.1:${portOf(fastify.server)}${path}`)
    t.teardown(() => socket.terminate())
    return new Promise((resolve) => {
      socket.once('message', () => resolve(socket))
      socket.once('error', ({ message }) => resolve(message))
    })
  }
  return { fastify, lines, open }
}

async function refuse(): Promise<never> {
  throw Object.assign(new Error('not you'), { statusCode: 403 })
}

const isOpen = (given: WebSocket | string) => typeof given !== 'string'

t.test('one too many gets 429; a place is free when a socket closes', async (t) => {
  const { fastify, open, lines } = await socketApp(t, 2)
  const first = await open('/open')
  t.ok(isOpen(first))
  t.ok(isOpen(await open('/open')))
  t.equal(await open('/open'), REFUSED)
  t.equal(await open('/open'), REFUSED)
  const told = lines.filter(({ code }) => code === 'SVC_LIMIT_SOCKETS')
  t.match(told, [{ level: 40, network: '127.0.0.1', open: 2 }])
  t.equal(told.length, 1, 'once a minute')
  t.equal((await fastify.inject('/plain')).statusCode, 200, 'requests are not counted')
  t.match(
    (await fastify.inject('/open')).json(),
    { statusCode: 429, code: 'SVC_LIMIT_SOCKETS' },
    'a request learns why'
  )

  const gone = [...fastify.websocketServer.clients].map((socket) => once(socket, 'close'))
  ;(first as WebSocket).close()
  await Promise.race(gone)
  // The socket below it closes with it, or a moment later.
  let last: WebSocket | string = REFUSED
  while (last === REFUSED) last = await open('/open')
  t.ok(isOpen(last))
})

t.test('a handshake that another hook refuses holds no place', async (t) => {
  const { open } = await socketApp(t, 1)
  for (let count = 0; count < 3; count += 1) t.equal(await open('/closed'), 'Unexpected server response: 403')
  t.ok(isOpen(await open('/open')))
  t.equal(await open('/open'), REFUSED)
})

t.test('a plain request to a route of WebSockets holds no place, before its answer or after it', async (t) => {
  const { fastify, open } = await socketApp(t, 1)
  const asked = Array.from({ length: 3 }, () => fastify.inject('/open'))
  for (const { statusCode } of await Promise.all(asked)) t.equal(statusCode, 404)
  t.ok(isOpen(await open('/open')))
})

t.test('0: any number', async (t) => {
  const { open } = await socketApp(t, 0)
  for (let count = 0; count < 5; count += 1) t.ok(isOpen(await open('/open')))
})
