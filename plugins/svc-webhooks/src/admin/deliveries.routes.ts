/** Deliveries over HTTP: what became of the last ones, a test message, and a recorded message once more. An undeclared field never leaves. */
import type { FastifyInstance } from 'fastify'
import type { GatesPort } from 'svc-kernel'
import type { Webhooks } from '../webhooks.ts'
import { type ById, changingRoute, described, readingRoute, WEBHOOKS_API } from './admin-route.ts'
import { count, flag, idParams, noBody, numberOrNull, text, textOrNull } from './endpoint-schemas.ts'

const deliveriesAnswer = {
  type: 'object',
  properties: {
    enabled: { type: 'boolean', description: 'present, and false, where webhooks are switched off' },
    deliveries: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          ts: count,
          messageId: text,
          type: text,
          attempt: count,
          ok: flag,
          status: numberOrNull,
          error: textOrNull,
          durationMs: count,
          outcome: text,
          requestBody: text,
          responseBody: textOrNull
        }
      }
    }
  }
} as const

const messageParams = {
  type: 'object',
  required: ['id', 'messageId'],
  properties: { ...idParams.properties, messageId: { type: 'string', minLength: 1, maxLength: 200 } }
} as const

const sentAnswer = { type: 'object', properties: { messageId: text } } as const

const BODY_LIMIT = 1024

interface ByMessage {
  readonly Params: { readonly id: string; readonly messageId: string }
}

export function deliveriesRoutes(fastify: FastifyInstance, webhooks: Webhooks, gates: GatesPort | null): void {
  fastify.get<ById>(
    `${WEBHOOKS_API}/:id/deliveries`,
    {
      ...readingRoute('deliveries'),
      schema: described('The last deliveries of this instance, newest first', {
        params: idParams,
        response: { 200: deliveriesAnswer }
      })
    },
    async (request) => {
      const deliveries = await webhooks.deliveries(request.params.id)
      return webhooks.enabled ? { deliveries } : { enabled: false, deliveries }
    }
  )

  fastify.post<ById>(
    `${WEBHOOKS_API}/:id/test`,
    {
      ...changingRoute('test', gates),
      bodyLimit: BODY_LIMIT,
      schema: described('Send a test message to this endpoint only', {
        params: idParams,
        body: noBody,
        response: { 202: sentAnswer }
      })
    },
    async (request, reply) => {
      const sent = await webhooks.sendTest(request.params.id)
      reply.code(202)
      return sent
    }
  )

  fastify.post<ByMessage>(
    `${WEBHOOKS_API}/:id/deliveries/:messageId/resend`,
    {
      ...changingRoute('resend', gates),
      bodyLimit: BODY_LIMIT,
      schema: described('Send a recorded message again, under the same id', {
        params: messageParams,
        body: noBody,
        response: { 202: sentAnswer }
      })
    },
    async (request, reply) => {
      const { id, messageId } = request.params
      await webhooks.resend(id, messageId)
      reply.code(202)
      return { messageId }
    }
  )
}
