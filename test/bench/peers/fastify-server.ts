/** The yardstick with plugins and a record of refusals: the application by hand on Fastify, with @fastify/jwt and @fastify/websocket. */
import { randomUUID } from 'node:crypto'
import jwt from '@fastify/jwt'
import websocket from '@fastify/websocket'
import { fastify as createFastify, type FastifyReply, type FastifyRequest } from 'fastify'
import { articleSchema } from '../http/article-schema.ts'
import { serveMeasured } from '../measured/measured-server.ts'
import {
  alice,
  bearerOf,
  type Claims,
  createApiKey,
  LIFETIME_S,
  TOKEN_SECRET,
  type User,
  userOfApiKey,
  userOfClaims
} from './accounts.ts'
import { DENIED, DENIED_HEADERS, recordDenial } from './denials.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: User | null
  }
}

const fastify = createFastify({ logger: false })
await fastify.register(websocket)
// Remembers signatures that it has verified, as ours does; expiry is checked every time.
await fastify.register(jwt, { secret: TOKEN_SECRET, verify: { cache: true } })
fastify.decorateRequest('caller', null)

fastify.get('/public/hello', () => ({ hello: 'world' }))
fastify.post('/public/articles', { schema: articleSchema }, (request) => request.body)
fastify.get('/public/echo', { websocket: true }, (socket) => {
  socket.on('message', (data) => socket.send(JSON.stringify({ echo: (data as Buffer).toString() })))
})
fastify.get('/public/credentials', () => ({
  apikey: createApiKey(alice.identifier),
  jwt: fastify.jwt.sign({ sub: alice.identifier, jti: randomUUID() }, { expiresIn: LIFETIME_S })
}))

await fastify.register(async (scope) => {
  scope.addHook('onRequest', async (request, reply) => {
    const key = bearerOf(request.headers.authorization)
    request.caller = key === null ? null : userOfApiKey(key)
    if (request.caller === null) return refuse(reply)
  })
  scope.get('/keys/hello', { onRequest: hasRole('ROLE_MEMBER') }, who)
  scope.get('/keys/denied', { onRequest: hasRole('ROLE_OWNER') }, who)
})

await fastify.register(async (scope) => {
  scope.addHook('onRequest', async (request, reply) => {
    try {
      request.caller = userOfClaims(await request.jwtVerify<Claims>())
    } catch {
      return refuse(reply)
    }
    if (request.caller === null) return refuse(reply)
  })
  scope.get('/tokens/hello', { onRequest: hasRole('ROLE_MEMBER') }, who)
})

function who(request: FastifyRequest): unknown {
  return { hello: 'world', who: request.caller?.identifier }
}

function refuse(reply: FastifyReply): FastifyReply {
  return reply.code(401).header('www-authenticate', 'Bearer').send({ statusCode: 401, error: 'Unauthorized' })
}

function hasRole(role: string) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.caller === null) return refuse(reply)
    if (request.caller.roles.includes(role)) return
    recordDenial(request.caller, role, request.method, request.url, request.ip)
    return reply.code(403).headers(DENIED_HEADERS).send(DENIED)
  }
}

await serveMeasured(fastify)
