/** Endpoints over HTTP: the listing, one endpoint, and its secret. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ChangedMeanwhile } from 'svc-kernel'
import { ifMatch, tagVersion } from 'svc-kernel/plugin'
import { InvalidFilter, InvalidPage, type SortKey, UnknownSortField } from 'svc-stores'
import type { EndpointPatch, EndpointView, NewEndpoint } from '../endpoints/endpoint.ts'
import { type WebhookFilter, type WebhookSortField, webhookSort } from '../endpoints/endpoint-store.ts'
import {
  BadEvents,
  BadHeaders,
  BadOverlap,
  EndpointBusy,
  HeadersStay,
  SecretUnreadable,
  UrlRefused,
  WebhookNotFound
} from '../errors.ts'
import { type ById, pathOf, type RegistryDoor } from './admin-route.ts'
import * as answers from './answers.ts'
import { createBody, idParams, listQuery, noBody, patchBody, rotateBody } from './endpoint-schemas.ts'

const MAX_LIMIT = 200

/** Bodies are small; what an application allows elsewhere is not allowed here. */
const BODY_LIMIT = 65_536

const SMALL_BODY = 1024

const CHANGED = [WebhookNotFound, EndpointBusy]

interface ListQuery extends WebhookFilter {
  readonly limit: number
  readonly offset: number
  readonly order?: string
  readonly sort?: string
  readonly recent: boolean
}

export function endpointsRoutes(fastify: FastifyInstance, door: RegistryDoor): void {
  fastify.get<{ Querystring: ListQuery }>(
    door.base,
    {
      ...door.reading('list', Object.keys(listQuery.properties)),
      schema: door.described('List endpoints', {
        querystring: listQuery,
        response: { 200: answers.endpoints },
        errors: [UnknownSortField, InvalidFilter, InvalidPage]
      })
    },
    async (request) => {
      const { limit, offset, order, sort, recent, ...filter } = request.query
      if (order !== undefined && sort !== undefined) throw new InvalidPage('sort', 'absent with order')
      const size = Math.min(Math.max(limit, 1), MAX_LIMIT)
      const webhooks = await door.registry(request)
      const page = await webhooks.list(filter, { limit: size, offset, order: readOrder(order ?? sort) })
      if (!recent) return page
      return { ...page, endpoints: page.endpoints.map((view) => ({ ...view, recent: webhooks.recent(view.id) })) }
    }
  )

  fastify.post<{ Body: NewEndpoint }>(
    door.base,
    {
      ...door.changing('create'),
      bodyLimit: BODY_LIMIT,
      schema: door.described('Register an endpoint', {
        body: createBody,
        response: { 201: answers.withSecret },
        errors: [BadEvents, BadHeaders, UrlRefused]
      })
    },
    async (request, reply) => {
      const made = await (await door.registry(request)).create(request.body)
      reply.code(201).header('location', `${pathOf(request)}/${made.endpoint.id}`)
      return made
    }
  )

  fastify.get<ById>(
    `${door.base}/:id`,
    {
      ...door.reading('find'),
      schema: door.described('One endpoint', {
        params: idParams,
        response: { 200: answers.foundEndpoint },
        errors: [WebhookNotFound]
      })
    },
    // Where webhooks are switched off nothing says whether the endpoint exists: its view is that it is not enabled.
    async (request, reply) => {
      const webhooks = await door.registry(request)
      return webhooks.enabled ? tagged(reply, await webhooks.find(request.params.id)) : { enabled: false }
    }
  )

  fastify.patch<ById & { Body: EndpointPatch }>(
    `${door.base}/:id`,
    {
      ...door.changing('update'),
      bodyLimit: BODY_LIMIT,
      schema: door.described('Change an endpoint', {
        params: idParams,
        body: patchBody,
        response: { 200: answers.endpoint },
        errors: [...CHANGED, BadEvents, BadHeaders, HeadersStay, ChangedMeanwhile, SecretUnreadable, UrlRefused]
      })
    },
    async (request, reply) => {
      const webhooks = await door.registry(request)
      return tagged(reply, await webhooks.update(request.params.id, request.body, ifMatch(request)))
    }
  )

  fastify.delete<ById>(
    `${door.base}/:id`,
    {
      ...door.changing('remove'),
      bodyLimit: BODY_LIMIT,
      schema: door.described('Delete an endpoint', {
        params: idParams,
        response: { 200: answers.done },
        errors: [WebhookNotFound]
      })
    },
    async (request) => {
      await (await door.registry(request)).remove(request.params.id)
      return { ok: true }
    }
  )

  // Secrets by POST, so that none is ever part of a URL or of a log.
  fastify.post<ById & { Body: { readonly overlapS?: number } | null }>(
    `${door.base}/:id/rotate`,
    {
      ...door.changing('rotate'),
      bodyLimit: SMALL_BODY,
      schema: door.described('Rotate the secret; the old one is invalid at once, or after overlapS seconds', {
        params: idParams,
        body: rotateBody,
        response: { 200: answers.withSecret },
        errors: [...CHANGED, BadOverlap, SecretUnreadable]
      })
    },
    async (request) => (await door.registry(request)).rotate(request.params.id, request.body ?? {})
  )

  fastify.post<ById>(
    `${door.base}/:id/reveal`,
    {
      ...door.changing('reveal'),
      bodyLimit: SMALL_BODY,
      schema: door.described('Show the secret', {
        params: idParams,
        body: noBody,
        response: { 200: answers.secret },
        errors: [WebhookNotFound, SecretUnreadable]
      })
    },
    async (request) => ({ secret: await (await door.registry(request)).reveal(request.params.id) })
  )
}

/** With its version, for `If-Match`. */
function tagged(reply: FastifyReply, endpoint: EndpointView): EndpointView {
  tagVersion(reply, endpoint.updatedAt)
  return endpoint
}

const { fields } = webhookSort

/**
 * Reads the order of a listing: `field:ASC`, `field:DESC`, several with a comma between.
 *
 * @param text `undefined` where none was asked for
 * @throws UnknownSortField (400), InvalidPage (400) for a direction that is neither, or a field that is named twice
 */
export function readOrder(text: string | undefined): SortKey<WebhookSortField>[] {
  if (text === undefined) return []
  const order = text.split(',').map((key) => {
    const [field = '', direction = 'ASC', ...rest] = key.split(':')
    const known = fields.find((name) => name === field)
    if (known === undefined) throw new UnknownSortField(field.slice(0, 64), fields.join(', '))
    if ((direction !== 'ASC' && direction !== 'DESC') || rest.length > 0) {
      throw new InvalidPage(`order of ${known}`, 'ASC or DESC')
    }
    return [known, direction] as const
  })
  if (new Set(order.map(([field]) => field)).size < order.length) {
    throw new InvalidPage('order', 'a list without repeated fields')
  }
  return order
}
