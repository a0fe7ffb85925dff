/** Endpoints over HTTP: a listing, and one after the other. The secret leaves with the answer to a creation alone. */
import type { FastifyInstance } from 'fastify'
import type { GatesPort } from 'svc-kernel'
import { InvalidPage, type WebhookFilter } from 'svc-stores'
import type { EndpointPatch, NewEndpoint } from '../registry/endpoint.ts'
import type { Webhooks } from '../registry/webhooks.ts'
import { changingRoute, described, readingRoute, WEBHOOKS_API } from './admin-route.ts'
import {
  createBody,
  done,
  endpointView,
  idParams,
  listAnswer,
  listQuery,
  patchBody,
  withSecret
} from './endpoint-schemas.ts'
import { readOrder } from './read-order.ts'

const MAX_LIMIT = 200

/** Bodies are small; what an application allows elsewhere is not allowed here. */
const BODY_LIMIT = 65_536

interface ListQuery extends WebhookFilter {
  readonly limit: number
  readonly offset: number
  readonly order?: string
  readonly sort?: string
}

interface ById {
  readonly Params: { readonly id: string }
}

export function endpointsRoutes(fastify: FastifyInstance, webhooks: Webhooks, gates: GatesPort | null): void {
  fastify.get<{ Querystring: ListQuery }>(
    WEBHOOKS_API,
    {
      ...readingRoute('list', Object.keys(listQuery.properties)),
      schema: described('List endpoints', { querystring: listQuery, response: { 200: listAnswer } })
    },
    async (request) => {
      const { limit, offset, order, sort, ...filter } = request.query
      if (order !== undefined && sort !== undefined) throw new InvalidPage('sort', 'left out where order is given')
      const size = Math.min(Math.max(limit, 1), MAX_LIMIT)
      return webhooks.list(filter, { limit: size, offset, order: readOrder(order ?? sort) })
    }
  )

  fastify.post<{ Body: NewEndpoint }>(
    WEBHOOKS_API,
    {
      ...changingRoute('create', gates),
      bodyLimit: BODY_LIMIT,
      schema: described('Register an endpoint', { body: createBody, response: { 201: withSecret } })
    },
    async (request, reply) => {
      const made = await webhooks.create(request.body)
      reply.code(201).header('location', `${WEBHOOKS_API}/${made.endpoint.id}`)
      return made
    }
  )

  fastify.get<ById>(
    `${WEBHOOKS_API}/:id`,
    {
      ...readingRoute('find'),
      schema: described('One endpoint', { params: idParams, response: { 200: endpointView } })
    },
    // Where webhooks are switched off nothing says whether the endpoint exists: its view is that it is not enabled.
    async (request) => (webhooks.enabled ? webhooks.find(request.params.id) : { enabled: false })
  )

  fastify.patch<ById & { Body: EndpointPatch }>(
    `${WEBHOOKS_API}/:id`,
    {
      ...changingRoute('update', gates),
      bodyLimit: BODY_LIMIT,
      schema: described('Change an endpoint', { params: idParams, body: patchBody, response: { 200: endpointView } })
    },
    async (request) => webhooks.update(request.params.id, request.body)
  )

  fastify.delete<ById>(
    `${WEBHOOKS_API}/:id`,
    {
      ...changingRoute('remove', gates),
      bodyLimit: BODY_LIMIT,
      schema: described('Delete an endpoint', { params: idParams, response: { 200: done } })
    },
    async (request) => {
      await webhooks.remove(request.params.id)
      return { ok: true }
    }
  )
}
