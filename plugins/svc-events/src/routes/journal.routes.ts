/** The events of an organisation over HTTP: what they are, the last ones, one, and all of them as lines of JSON. */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { integer, listOf, object, text, textOrNull, textUpTo } from 'svc-kernel/schemas'
import { InvalidFilter, InvalidPage } from 'svc-stores'
import type { Organizations } from '../access/organizations.ts'
import { eventTypes } from '../answers.ts'
import { EventNotFound } from '../errors.ts'
import type { Events } from '../events.ts'
import { type EventFilter, messageOf, type StoredEvent } from '../records/event-record.ts'
import type { OrganizationDoor } from './organization-door.ts'

export interface JournalRoutesParts {
  readonly path: string
  readonly door: OrganizationDoor
  readonly events: Events
  readonly organizations: Organizations
}

const time = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

const filter = {
  type: { type: 'string', minLength: 1, maxLength: 100, description: 'name of an event' },
  since: { ...time, description: 'epoch ms, inclusive' },
  until: { ...time, description: 'epoch ms, inclusive' }
} as const

const listQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...filter,
    limit: { type: 'integer', default: 50, description: 'clamped to 1 to 200' },
    cursor: { type: 'string', minLength: 1, maxLength: 100, description: 'nextCursor of the previous page' }
  }
} as const

const exportQuery = { type: 'object', additionalProperties: false, properties: filter } as const

const MAX_LIMIT = 200

const event = object({
  id: text,
  type: text,
  version: integer,
  organization: text,
  ts: { ...integer, description: 'epoch ms' },
  data: { description: 'as the schema of the event says' }
})

export function typesRoute(fastify: FastifyInstance, { path, door, events, organizations }: JournalRoutesParts): void {
  fastify.get(
    `${path}/events/types`,
    {
      ...door.reading('types'),
      schema: door.described('What happens, with schemas and examples', {
        response: { 200: eventTypes }
      })
    },
    async (request) => {
      await organizations.of(request)
      return { types: events.types }
    }
  )
}

export function journalRoutes(fastify: FastifyInstance, parts: JournalRoutesParts): void {
  const { path, door, events, organizations } = parts
  const base = `${path}/events`
  typesRoute(fastify, parts)

  fastify.get<{ Querystring: EventFilter & { readonly limit: number; readonly cursor?: string } }>(
    base,
    {
      ...door.reading('journal', Object.keys(listQuery.properties)),
      schema: door.described('List events, the newest first', {
        querystring: listQuery,
        response: { 200: object({ events: listOf(event), nextCursor: textOrNull }) },
        errors: [InvalidFilter, InvalidPage]
      })
    },
    async (request) => {
      const { limit, ...query } = request.query
      return events.list(await organizations.of(request), { ...query, limit: Math.min(Math.max(limit, 1), MAX_LIMIT) })
    }
  )

  fastify.get<{ Querystring: EventFilter }>(
    `${base}/export`,
    {
      ...door.reading('export', Object.keys(exportQuery.properties)),
      schema: door.described('All events, the oldest first, one JSON text a line', {
        querystring: exportQuery,
        errors: [InvalidFilter]
      })
    },
    async (request, reply) => {
      const found = events.export(await organizations.of(request), request.query)
      reply.type('application/x-ndjson').header('content-disposition', 'attachment; filename="events.ndjson"')
      return reply.send(Readable.from(lines(found)))
    }
  )

  fastify.get<{ Params: { readonly event: string } }>(
    `${base}/:event`,
    {
      ...door.reading('event'),
      schema: door.described('One event', {
        params: object({ event: textUpTo(100) }),
        response: { 200: event },
        errors: [EventNotFound]
      })
    },
    async (request) => events.find(await organizations.of(request), request.params.event)
  )
}

async function* lines(events: AsyncIterable<StoredEvent>): AsyncGenerator<string> {
  for await (const each of events) yield `${JSON.stringify(messageOf(each))}\n`
}
