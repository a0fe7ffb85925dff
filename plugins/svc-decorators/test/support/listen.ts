/** A listening application with the plugin and some controllers; closed with the test, clients first. */
import { fastify as createFastify, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Test } from 'tap'
import svcDecorators, { type ControllerClass, type SvcDecoratorsOptions } from '../../src/index.ts'

export async function listen(
  t: Test,
  controllers: ControllerClass[],
  options: SvcDecoratorsOptions = {},
  server: FastifyServerOptions = {}
): Promise<FastifyInstance> {
  const fastify = createFastify(server) as unknown as FastifyInstance
  t.teardown(() => fastify.close())
  await fastify.register(svcDecorators, { controllers, ...options })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  return fastify
}
