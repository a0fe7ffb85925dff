/** The admin API: its routes in one scope that takes JSON and nothing else, so that no plain form can post to it. */
import type { FastifyInstance } from 'fastify'
import type { GatesPort } from 'svc-kernel'
import type { Webhooks } from '../webhooks.ts'
import { deliveriesRoutes } from './deliveries.routes.ts'
import { endpointsRoutes, secretsRoutes } from './endpoints.routes.ts'
import { type EventSettings, overviewRoutes } from './overview.routes.ts'

export interface AdminParts {
  readonly webhooks: Webhooks
  readonly gates: GatesPort | null
  readonly events: EventSettings
}

export function adminApi(fastify: FastifyInstance, { webhooks, gates, events }: AdminParts): void {
  fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const parse = scope.getDefaultJsonParser('error', 'error')
    scope.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
      // Many clients declare JSON where they send nothing: no body is no fault where none is asked for.
      if (text === '') done(null, null)
      else void parse(request, text, done)
    })
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    overviewRoutes(scope, webhooks, events)
    endpointsRoutes(scope, webhooks, gates)
    secretsRoutes(scope, webhooks, gates)
    deliveriesRoutes(scope, webhooks, gates)
  })
}
