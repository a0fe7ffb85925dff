/** The yardstick: one WebSocket route on @fastify/websocket that answers what it is sent, and keeps nothing. */
import websocket from '@fastify/websocket'
import { fastify as createFastify } from 'fastify'
import { serveMeasured } from '../measured/measured-server.ts'

const fastify = createFastify({ logger: false })
await fastify.register(websocket)
fastify.get('/svc/realtime', { websocket: true }, (socket) => {
  socket.on('message', (data) => socket.send(data.toString()))
  socket.send(JSON.stringify({ welcome: true }))
})

await serveMeasured(fastify)
