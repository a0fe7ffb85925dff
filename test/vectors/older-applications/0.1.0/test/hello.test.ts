/** The hello controller over both of its transports. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { build } from './helper.ts'

test('GET /api/hello says who is calling', async (t) => {
  const fastify = await build(t)
  const response = await fastify.inject('/api/hello')
  assert.equal(response.statusCode, 200)
  assert.deepEqual(response.json(), { hello: 'world', pid: process.pid, who: 'anonymous' })
})

test('WEBSOCKET /api/echo answers each message', async (t) => {
  const fastify = await build(t)
  const address = await fastify.listen({ host: '127.0.0.1', port: 0 })
  const socket = new WebSocket(`${address.replace('http', 'ws')}/api/echo`)
  t.after(() => socket.close())
  await once(socket, 'open')
  socket.send('hi')
  const [event] = await once(socket, 'message')
  assert.deepEqual(JSON.parse(event.data), { echo: 'hi' })
})
