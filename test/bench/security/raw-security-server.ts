/**
 * The yardsticks that need a server, written by hand on Fastify: an empty route, one that verifies a signature,
 * a 401 with its challenge and a 403, and an empty route behind @fastify/session as it comes.
 */
import fastifyCookie from '@fastify/cookie'
import fastifySession from '@fastify/session'
import Fastify from 'fastify'
import { serveMeasured } from '../measured/measured-server.ts'
import { rawVerification } from './raw-verification.ts'

const verify = rawVerification(250)
const fastify = Fastify({ logger: false })
fastify.get('/empty', () => 'ok')
fastify.get('/verified', () => (verify() ? 'ok' : 'never'))
fastify.get('/jwt', (_request, reply) => {
  reply.header('cache-control', 'no-store').header('www-authenticate', 'Bearer')
  reply.code(401).send({
    statusCode: 401,
    code: 'SVC_SEC_UNAUTHENTICATED',
    error: 'Unauthorized',
    message: 'authentication required'
  })
})
fastify.get('/visitors/denied', (_request, reply) => {
  reply.code(403).send({ statusCode: 403, code: 'SVC_SEC_DENIED', error: 'Forbidden', message: 'access denied' })
})
await fastify.register(async (scope) => {
  await scope.register(fastifyCookie)
  await scope.register(fastifySession, { secret: 'a secret of a bench, 32 characters', saveUninitialized: false })
  scope.get('/plugin', () => 'ok')
})

await serveMeasured(fastify)
