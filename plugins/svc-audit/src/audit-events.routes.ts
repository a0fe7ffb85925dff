/**
 * The journal for administrators: pages, one event, and an export. The guard travels with the routes: where no firewall
 * and no jury are registered, they answer 403. An undeclared field never leaves.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuditEvent } from 'svc-kernel'
import { adminRoute, strictQuery } from 'svc-kernel/plugin'
import { InvalidFilter, InvalidPage } from 'svc-stores'
import { encodeCursor } from 'svc-stores/plugin'
import * as answers from './answers.ts'
import { ACTIONS, CATALOGUE, CATEGORIES } from './catalogue.ts'
import { AuditEventUnknown, AuditUnavailable } from './errors.ts'
import type { AuditFilter, AuditPage, AuditPageQuery, AuditStore } from './storage/audit-store.ts'

const time = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

const filters = {
  category: { enum: CATEGORIES },
  action: { enum: ACTIONS },
  outcome: { enum: ['success', 'failure', 'denied'] },
  actor: { type: 'string', minLength: 1, maxLength: 1024 },
  requestId: { type: 'string', minLength: 1, maxLength: 1024 },
  q: { type: 'string', minLength: 1, maxLength: 200 },
  since: time,
  until: time
} as const

const ID = '^[A-Za-z0-9_:.-]{1,200}$'

const querySchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...filters,
    /** Id of an event: only what is newer. A page that ends before it has a cursor, and the next goes on to it. */
    after: { type: 'string', pattern: ID },
    limit: { type: 'integer', default: 100 },
    cursor: { type: 'string', minLength: 1, maxLength: 200 }
  }
} as const

/** The export knows the filters alone: it begins with the newest event, and has no pages. */
const exportSchema = { type: 'object', additionalProperties: false, properties: filters } as const

const idSchema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', pattern: ID } }
} as const

/** Of a question to the store. */
const ASKED = [InvalidFilter, InvalidPage, AuditUnavailable]

export const AUDIT_EVENTS_PATH = '/svc/security/api/audit/events'

const MAX_LIMIT = 500

const NDJSON = 'application/x-ndjson'

/** An export ends here, so that no request reads the store without end. */
export const MAX_EXPORTED = 100_000

/** What a text is looked for in takes more pages than events that hold it. */
const MAX_PAGES = MAX_EXPORTED / MAX_LIMIT

/** @param store `null` where the brick is disabled: the route then answers 503 */
export function auditEventsRoutes(fastify: FastifyInstance, store: Pick<AuditStore, 'list'> | null): void {
  fastify.get<{ Querystring: AuditFilter & { limit: number; cursor?: string; after?: string } }>(
    AUDIT_EVENTS_PATH,
    {
      ...adminRoute('svc.audit.events'),
      preValidation: strictQuery(Object.keys(querySchema.properties)),
      schema: {
        querystring: querySchema,
        response: { 200: answers.auditEvents },
        errors: [...ASKED, AuditEventUnknown]
      }
    },
    async (request, reply) => {
      const { limit, cursor, after, ...filter } = request.query
      const page = { limit: Math.min(Math.max(limit, 1), MAX_LIMIT), ...(cursor === undefined ? {} : { cursor }) }
      reply.header('cache-control', 'no-store')
      if (store === null) throw new AuditUnavailable()
      if (after === undefined) return listOrRefuse(store, filter, page, request)
      const known = await eventOrRefuse(store, after, request)
      return listOrRefuse(store, { ...filter, after: encodeCursor(known) }, page, request)
    }
  )
}

/** What can be recorded, for whoever filters. */
export function auditCatalogueRoute(fastify: FastifyInstance): void {
  fastify.get(
    '/svc/security/api/audit/catalogue',
    {
      ...adminRoute('svc.audit.catalogue'),
      preValidation: strictQuery([]),
      schema: { response: { 200: answers.catalogue } }
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { actions: [...CATALOGUE].map(([action, entry]) => ({ action, ...entry })) }
    }
  )
}

/** One event, and an export of all that a filter finds. @param store as of the listing */
export function auditEventRoutes(fastify: FastifyInstance, store: Pick<AuditStore, 'list'> | null): void {
  fastify.get<{ Params: { id: string } }>(
    `${AUDIT_EVENTS_PATH}/:id`,
    {
      ...adminRoute('svc.audit.event'),
      schema: { params: idSchema, response: { 200: answers.auditEvent }, errors: [...ASKED, AuditEventUnknown] }
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (store === null) throw new AuditUnavailable()
      return eventOrRefuse(store, request.params.id, request)
    }
  )

  fastify.get<{ Querystring: AuditFilter }>(
    `${AUDIT_EVENTS_PATH}.ndjson`,
    {
      ...adminRoute('svc.audit.export'),
      // A HEAD request would read the whole export to throw it away.
      exposeHeadRoute: false,
      preValidation: strictQuery(Object.keys(filters)),
      schema: {
        querystring: exportSchema,
        response: { 200: { description: 'One event per line', content: { [NDJSON]: { schema: { type: 'string' } } } } },
        errors: ASKED
      }
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (store === null) throw new AuditUnavailable()
      const read = (page: AuditPageQuery) => listOrRefuse(store, request.query, page, request)
      // Read before the headers leave: a mistake, or a store that fails, still has its status.
      const first = await read({ limit: MAX_LIMIT })
      const serialize = reply.compileSerializationSchema(answers.auditEvent)
      const write = (event: AuditEvent) => serialize({ ...event })
      reply.header('content-disposition', 'attachment; filename="audit-events.ndjson"')
      return reply.type(NDJSON).send(Readable.from(exportedLines(first, read, write)))
    }
  )
}

/** A page of lines at a time; the store is asked for the next only when the caller has taken the last. */
async function* exportedLines(
  first: AuditPage,
  read: (page: AuditPageQuery) => Promise<AuditPage>,
  write: (event: AuditEvent) => string
): AsyncGenerator<string> {
  let page = first
  for (let pages = 1; ; pages += 1) {
    yield page.items.map((event) => `${write(event)}\n`).join('')
    if (page.nextCursor === null || pages === MAX_PAGES) return
    page = await read({ limit: MAX_LIMIT, cursor: page.nextCursor })
  }
}

/** @throws AuditEventUnknown (404) */
async function eventOrRefuse(
  store: Pick<AuditStore, 'list'>,
  id: string,
  request: FastifyRequest
): Promise<AuditEvent> {
  const { items } = await listOrRefuse(store, { id }, { limit: 1 }, request)
  const [event] = items
  // A store of the application's own may not know this filter.
  if (event?.id !== id) throw new AuditEventUnknown()
  return event
}

/** A mistake of the caller keeps its status; a store that fails is only logged. */
async function listOrRefuse(
  store: Pick<AuditStore, 'list'>,
  filter: AuditFilter,
  page: AuditPageQuery,
  request: FastifyRequest
) {
  try {
    return await store.list(filter, page)
  } catch (error) {
    if ((error as { statusCode?: unknown } | null)?.statusCode === 400) throw error
    const level = request.server.outageLog.firstOccurrence(error) ? 'error' : 'debug'
    request.log[level]({ code: 'SVC_AUDIT_STORE', err: error }, 'the audit store cannot be read')
    throw new AuditUnavailable()
  }
}
