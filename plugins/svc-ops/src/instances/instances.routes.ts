/** The instances of the application, for administrators. */
import type { FastifyInstance } from 'fastify'
import { adminRoute, strictQuery } from 'svc-kernel/plugin'
import * as answers from '../answers.ts'
import { OPS_API } from '../system/ops-api.ts'
import type { Presence } from './presence.ts'

/** @param shared whether the instances of the application write into one store */
export function instancesRoutes(fastify: FastifyInstance, presence: Presence, shared: () => boolean): void {
  fastify.get(
    `${OPS_API}/instances`,
    {
      ...adminRoute('svc.ops.instances'),
      preValidation: strictQuery([]),
      schema: { response: { 200: answers.instances } }
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { self: presence.id, shared: shared(), instances: await presence.view() }
    }
  )
}
