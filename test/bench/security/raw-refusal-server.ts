/** The yardstick of refusals: a 401 and its challenge, written by hand on Fastify. */
import Fastify from 'fastify'
import { serveMeasured } from '../http/measured-server.ts'

const fastify = Fastify({ logger: false })
fastify.get('/jwt', (_request, reply) => {
  reply.header('cache-control', 'no-store').header('www-authenticate', 'Bearer')
  reply.code(401).send({
    statusCode: 401,
    code: 'SVC_SEC_UNAUTHENTICATED',
    error: 'Unauthorized',
    message: 'authentication required'
  })
})

await serveMeasured(fastify)
