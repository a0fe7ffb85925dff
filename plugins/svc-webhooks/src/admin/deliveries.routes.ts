/** Deliveries over HTTP: what became of the last ones, a test message, and a recorded message once more. An undeclared field never leaves. */
import type { FastifyInstance } from 'fastify'
import { object, textUpTo } from 'svc-kernel/schemas'
import { InvalidFilter, InvalidPage } from 'svc-stores'
import { MessageNotFound, QueueFull, SecretUnreadable, WebhookNotFound } from '../errors.ts'
import { type DeliveryFilter, type DeliveryPageQuery, OUTCOMES } from '../history/delivery-record.ts'
import type { ById, RegistryDoor } from './admin-route.ts'
import * as answers from './answers.ts'
import { idParams, noBody } from './endpoint-schemas.ts'

const time = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

const deliveriesQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: { type: 'integer', default: 20, description: 'clamped to 1 to 200' },
    cursor: { type: 'string', maxLength: 200, description: 'nextCursor of the previous page' },
    messageId: { type: 'string', minLength: 1, maxLength: 200, description: 'the attempts of one message' },
    outcome: { enum: OUTCOMES, description: 'how the delivery ended' },
    status: { type: 'integer', minimum: 100, maximum: 999, description: 'HTTP status of the answer' },
    event: { type: 'string', minLength: 1, maxLength: 200, description: 'the audit action' },
    since: { ...time, description: 'epoch ms, inclusive' },
    until: { ...time, description: 'epoch ms, inclusive' }
  }
} as const

const MAX_LIMIT = 200

type DeliveriesQuery = DeliveryFilter & DeliveryPageQuery

const messageParams = object({ ...idParams.properties, messageId: textUpTo(200) })

const BODY_LIMIT = 1024

interface ByMessage {
  readonly Params: { readonly id: string; readonly messageId: string }
}

export function deliveriesRoutes(fastify: FastifyInstance, door: RegistryDoor): void {
  fastify.get<ById & { Querystring: DeliveriesQuery }>(
    `${door.base}/:id/deliveries`,
    {
      ...door.reading('deliveries', Object.keys(deliveriesQuery.properties)),
      schema: door.described('Ended deliveries, newest first, and waiting ones', {
        params: idParams,
        querystring: deliveriesQuery,
        response: { 200: answers.deliveries },
        errors: [WebhookNotFound, InvalidFilter, InvalidPage]
      })
    },
    async (request) => {
      const { limit, cursor, ...filter } = request.query
      const size = Math.min(Math.max(limit, 1), MAX_LIMIT)
      const page = cursor === undefined ? { limit: size } : { limit: size, cursor }
      const { id } = request.params
      const webhooks = await door.registry(request)
      const found = await webhooks.history(id, filter, page)
      if (!webhooks.enabled) return { enabled: false, deliveries: found.deliveries }
      return cursor === undefined ? { ...found, pending: await webhooks.pending(id) } : found
    }
  )

  fastify.post<ById>(
    `${door.base}/:id/test`,
    {
      ...door.changing('test'),
      bodyLimit: BODY_LIMIT,
      schema: door.described('Send a test message to this endpoint only', {
        params: idParams,
        body: noBody,
        response: { 202: answers.sent },
        errors: [WebhookNotFound, SecretUnreadable, QueueFull]
      })
    },
    async (request, reply) => {
      const sent = await (await door.registry(request)).sendTest(request.params.id)
      reply.code(202)
      return sent
    }
  )

  fastify.post<ByMessage>(
    `${door.base}/:id/deliveries/:messageId/resend`,
    {
      ...door.changing('resend'),
      bodyLimit: BODY_LIMIT,
      schema: door.described('Send a recorded message again, with the same id', {
        params: messageParams,
        body: noBody,
        response: { 202: answers.sent },
        errors: [WebhookNotFound, MessageNotFound, SecretUnreadable, QueueFull]
      })
    },
    async (request, reply) => {
      const { id, messageId } = request.params
      await (await door.registry(request)).resend(id, messageId)
      reply.code(202)
      return { messageId }
    }
  )
}
