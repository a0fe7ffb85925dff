/**
 * The yardsticks that need a server, written by hand on Fastify: an empty route, one that verifies a signature,
 * a 401 with its challenge and a 403.
 */
import Fastify from 'fastify'
import { serveMeasured } from '../http/measured-server.ts'
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

await serveMeasured(fastify)
