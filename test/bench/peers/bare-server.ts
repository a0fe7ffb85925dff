/**
 * The lean yardstick: the least that Fastify can do for each case, without plugins and without a record of refusals. It looks up
 * no user and no revocation; a refusal is a `preHandler` that sends it.
 */
import { createHmac, hash, randomBytes } from 'node:crypto'
import { fastify as createFastify, type FastifyReply, type FastifyRequest } from 'fastify'
import { WebSocketServer } from 'ws'
import { articleSchema } from '../http/article-schema.ts'
import { serveMeasured } from '../measured/measured-server.ts'
import { bearerOf, LIFETIME_S, TOKEN_SECRET } from './accounts.ts'
import { DENIED } from './denials.ts'

const key = randomBytes(32).toString('base64url')
const keyHash = hash('sha256', key, 'base64url')
const signed = [
  { alg: 'HS256', typ: 'JWT' },
  { sub: 'alice', exp: Math.floor(Date.now() / 1000) + LIFETIME_S }
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')
const token = `${signed}.${signature(signed)}`

const fastify = createFastify({ logger: false })
const who = () => ({ hello: 'world', who: 'alice' })
fastify.get('/public/hello', () => ({ hello: 'world' }))
fastify.post('/public/articles', { schema: articleSchema }, (request) => request.body)
fastify.get('/public/credentials', () => ({ apikey: key, jwt: token }))
fastify.get('/keys/hello', { preHandler: only((bearer) => hash('sha256', bearer, 'base64url') === keyHash) }, who)
fastify.get('/keys/denied', { preHandler: (_request, reply) => void reply.code(403).send(DENIED) }, who)
fastify.get('/tokens/hello', { preHandler: only(holds) }, who)
new WebSocketServer({ server: fastify.server, path: '/public/echo' }).on('connection', (socket) => {
  socket.on('message', (data) => socket.send(JSON.stringify({ echo: (data as Buffer).toString() })))
})

function only(known: (bearer: string) => boolean) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (known(bearerOf(request.headers.authorization) ?? '')) done()
    else reply.code(401).send({ statusCode: 401, error: 'Unauthorized' })
  }
}

function holds(jwt: string): boolean {
  const end = jwt.lastIndexOf('.')
  const text = jwt.slice(0, end)
  if (signature(text) !== jwt.slice(end + 1)) return false
  const claims = JSON.parse(Buffer.from(text.slice(text.indexOf('.') + 1), 'base64url').toString()) as { exp: number }
  return claims.exp > Date.now() / 1000
}

function signature(text: string): string {
  return createHmac('sha256', TOKEN_SECRET).update(text).digest('base64url')
}

await serveMeasured(fastify)
