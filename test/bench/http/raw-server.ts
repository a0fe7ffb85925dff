/** The yardstick: the same routes written by hand on Fastify and @fastify/websocket, without any guard. */
import { AsyncLocalStorage } from 'node:async_hooks'
import websocket from '@fastify/websocket'
import { fastify as createFastify } from 'fastify'
import { serveMeasured } from '../measured/measured-server.ts'
import { articleSchema } from './article-schema.ts'

const fastify = createFastify({ logger: false })
await fastify.register(websocket)

const hello = (): unknown => ({ hello: 'world', pid: process.pid })
fastify.get('/open/hello', hello)
fastify.get('/api/hello', hello)
fastify.get('/members/hello', hello)
await fastify.register(async (scope) => {
  const storage = new AsyncLocalStorage()
  scope.addHook('onRequest', (request, _reply, done) => storage.run(request, done))
  scope.get('/context/hello', hello)
})
fastify.get('/members/denied', (_request, reply) => {
  reply.code(403).send({ statusCode: 403, code: 'SVC_SEC_DENIED', error: 'Forbidden', message: 'access denied' })
})
fastify.post('/api/articles', { schema: articleSchema }, (request) => request.body)
fastify.get('/api/echo', { websocket: true }, (socket) => {
  socket.on('message', (data) => socket.send(JSON.stringify({ echo: (data as Buffer).toString() })))
})

await serveMeasured(fastify)
