/** A worker thread with a jury of its own: decides on nothing, then on the data of a token that it was sent. */
import { parentPort } from 'node:worker_threads'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import { type AccessTokenInput, createAccessToken, currentToken, currentUser } from 'svc-kernel'
import svcSecurity from 'svc-security'

const fastify = createFastify() as unknown as FastifyInstance
await fastify.register(svcSecurity)
await fastify.ready()

parentPort?.once('message', async (data: AccessTokenInput) => {
  const token = createAccessToken(data)
  parentPort?.postMessage({
    ambient: currentUser().identifier,
    without: await fastify.jury.decide(currentToken(), 'ROLE_USER'),
    withData: await fastify.jury.decide(token, 'ROLE_USER'),
    withOther: await fastify.jury.decide(token, 'ROLE_ADMIN')
  })
  await fastify.close()
})
