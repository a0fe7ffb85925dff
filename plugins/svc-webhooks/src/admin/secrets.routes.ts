/** Secrets over HTTP: a new one, and the one there is. By POST, so that none ever stands in a URL or in a log. */
import type { FastifyInstance } from 'fastify'
import type { GatesPort } from 'svc-kernel'
import type { Webhooks } from '../registry/webhooks.ts'
import { changingRoute, described, WEBHOOKS_API } from './admin-route.ts'
import { idParams, noBody, withSecret } from './endpoint-schemas.ts'

const BODY_LIMIT = 1024

const secretAnswer = { type: 'object', properties: { secret: { type: 'string' } } } as const

interface ById {
  readonly Params: { readonly id: string }
}

export function secretsRoutes(fastify: FastifyInstance, webhooks: Webhooks, gates: GatesPort | null): void {
  fastify.post<ById>(
    `${WEBHOOKS_API}/:id/rotate`,
    {
      ...changingRoute('rotate', gates),
      bodyLimit: BODY_LIMIT,
      schema: described('Replace the secret; the old one is invalid at once', {
        params: idParams,
        body: noBody,
        response: { 200: withSecret }
      })
    },
    async (request) => webhooks.rotate(request.params.id)
  )

  fastify.post<ById>(
    `${WEBHOOKS_API}/:id/reveal`,
    {
      ...changingRoute('reveal', gates),
      bodyLimit: BODY_LIMIT,
      schema: described('Show the secret', { params: idParams, body: noBody, response: { 200: secretAnswer } })
    },
    async (request) => ({ secret: await webhooks.reveal(request.params.id) })
  )
}
