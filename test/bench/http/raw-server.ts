/**
 * The yardstick with plugins and a record of refusals: the same routes written by hand on Fastify and @fastify/websocket. A route that asks who is calling does
 * so in a `preHandler`: it looks the caller up, and refuses with the same bytes after it has pushed a record of that.
 * The argument is the one API key that it knows.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { hash } from 'node:crypto'
import websocket from '@fastify/websocket'
import { fastify as createFastify, type FastifyReply, type FastifyRequest, type preHandlerHookHandler } from 'fastify'
import { serveMeasured } from '../measured/measured-server.ts'
import { articleSchema } from './article-schema.ts'

export const fastify = createFastify({ logger: false })
await fastify.register(websocket)

interface Caller {
  readonly identifier: string
  readonly roles: readonly string[]
}

const member: Caller = { identifier: 'alice', roles: ['ROLE_MEMBER'] }
const callers = new Map<string, Caller>()

export function addKey(key: string): void {
  callers.set(hash('sha256', key, 'base64url'), member)
}

addKey(process.argv[2] ?? '')
const records: object[] = []

function byKey({ headers }: FastifyRequest): Caller | undefined {
  const { authorization = '' } = headers
  return authorization.startsWith('Bearer ')
    ? callers.get(hash('sha256', authorization.slice('Bearer '.length), 'base64url'))
    : undefined
}

function only(role: string, find: (request: FastifyRequest) => Caller | undefined): preHandlerHookHandler {
  return function refuseOthers(request, reply, done) {
    const caller = find(request)
    if (caller === undefined) refuse(request, reply, 401, null)
    else if (!caller.roles.includes(role)) refuse(request, reply, 403, caller.identifier)
    else done()
  }
}

function refuse(request: FastifyRequest, reply: FastifyReply, statusCode: 401 | 403, actor: string | null): void {
  if (records.length === 10_000) records.length = 0
  records.push({
    id: `aud_${records.length}`,
    ts: Date.now(),
    action: statusCode === 401 ? 'auth.denied' : 'access.denied',
    actor,
    resource: request.url,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    requestId: request.id
  })
  reply.code(statusCode).header('cache-control', 'no-store').header('vary', 'authorization, cookie')
  if (statusCode === 401) reply.header('www-authenticate', 'Bearer')
  reply.send(
    statusCode === 401
      ? { statusCode, code: 'SVC_SEC_UNAUTHENTICATED', error: 'Unauthorized', message: 'authentication required' }
      : { statusCode, code: 'SVC_SEC_DENIED', error: 'Forbidden', message: 'access denied' }
  )
}

const hello = (): unknown => ({ hello: 'world', pid: process.pid })
fastify.get('/open/hello', hello)
fastify.get('/api/hello', hello)
fastify.get('/members/hello', { preHandler: only('ROLE_MEMBER', () => member) }, hello)
await fastify.register(async (scope) => {
  const storage = new AsyncLocalStorage()
  scope.addHook('onRequest', (request, _reply, done) => storage.run(request, done))
  scope.get('/context/hello', hello)
})
fastify.get('/members/denied', { preHandler: only('ROLE_OWNER', () => member) }, hello)
fastify.get('/keyed/hello', { preHandler: only('ROLE_MEMBER', byKey) }, hello)
fastify.get('/keyed/denied', { preHandler: only('ROLE_OWNER', byKey) }, hello)
fastify.post('/api/articles', { schema: articleSchema }, (request) => request.body)
fastify.get('/api/echo', { websocket: true }, (socket) => {
  socket.on('message', (data) => socket.send(JSON.stringify({ echo: (data as Buffer).toString() })))
})

await serveMeasured(fastify)
