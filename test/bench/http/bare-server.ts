/**
 * The lean yardstick: the least that Fastify can do for each case, without plugins and without a record of refusals. A case is
 * a route and its handler; a refusal is a `preHandler` that sends it. The argument is the one API key that it knows.
 */
import { hash } from 'node:crypto'
import { fastify as createFastify, type FastifyReply, type FastifyRequest } from 'fastify'
import { WebSocketServer } from 'ws'
import { serveMeasured } from '../measured/measured-server.ts'
import { articleSchema } from './article-schema.ts'

export const fastify = createFastify({ logger: false })
const keys = new Set<string>()

export function addKey(key: string): void {
  keys.add(hash('sha256', key, 'base64url'))
}

addKey(process.argv[2] ?? '')

const DENIED = { statusCode: 403, code: 'SVC_SEC_DENIED', error: 'Forbidden', message: 'access denied' }
const UNKNOWN = {
  statusCode: 401,
  code: 'SVC_SEC_UNAUTHENTICATED',
  error: 'Unauthorized',
  message: 'authentication required'
}

function deny(_request: FastifyRequest, reply: FastifyReply): void {
  reply.code(403).send(DENIED)
}

function knowKey({ headers }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (keys.has(hash('sha256', (headers.authorization ?? '').slice('Bearer '.length), 'base64url'))) done()
  else reply.code(401).send(UNKNOWN)
}

const hello = (): unknown => ({ hello: 'world', pid: process.pid })
for (const path of ['/open/hello', '/api/hello', '/members/hello']) fastify.get(path, hello)
fastify.get('/members/denied', { preHandler: deny }, hello)
fastify.get('/keyed/hello', { preHandler: knowKey }, hello)
fastify.get('/keyed/denied', { preHandler: deny }, hello)
fastify.post('/api/articles', { schema: articleSchema }, (request) => request.body)
new WebSocketServer({ server: fastify.server, path: '/api/echo' }).on('connection', (socket) => {
  socket.on('message', (data) => socket.send(JSON.stringify({ echo: (data as Buffer).toString() })))
})

await serveMeasured(fastify)
