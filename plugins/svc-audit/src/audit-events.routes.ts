/**
 * The listing for administrators. The guard travels with the route: where no firewall and no jury are registered, it
 * answers 403. An undeclared field never leaves.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { adminRoute, strictQuery } from 'svc-kernel'
import { ACTIONS, CATEGORIES } from './catalogue.ts'
import { AuditUnavailable } from './errors.ts'
import type { AuditFilter, AuditStore } from './storage/audit-store.ts'

const time = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const
const textOrNull = { type: ['string', 'null'] } as const

const querySchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    category: { enum: CATEGORIES },
    action: { enum: ACTIONS },
    outcome: { enum: ['success', 'failure', 'denied'] },
    actor: { type: 'string', minLength: 1, maxLength: 1024 },
    since: time,
    until: time,
    limit: { type: 'integer', default: 100 },
    cursor: { type: 'string', minLength: 1, maxLength: 200 }
  }
} as const

const eventSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    ts: { type: 'integer' },
    category: { type: 'string' },
    action: { type: 'string' },
    outcome: { type: 'string' },
    actor: textOrNull,
    resource: textOrNull,
    reason: textOrNull,
    ip: textOrNull,
    userAgent: textOrNull,
    requestId: textOrNull,
    metadata: { type: 'object', additionalProperties: true }
  }
} as const

const answerSchema = {
  200: {
    type: 'object',
    properties: {
      items: { type: 'array', items: eventSchema },
      limit: { type: 'integer' },
      hasNext: { type: 'boolean' },
      nextCursor: textOrNull
    }
  }
} as const

export const AUDIT_EVENTS_PATH = '/svc/security/api/audit/events'

const MAX_LIMIT = 500

/** @param store `null` where the brick is disabled: the route then answers 503 */
export function auditEventsRoutes(fastify: FastifyInstance, store: Pick<AuditStore, 'list'> | null): void {
  fastify.get<{ Querystring: AuditFilter & { limit: number; cursor?: string } }>(
    AUDIT_EVENTS_PATH,
    {
      ...adminRoute('svc.audit.events'),
      preValidation: strictQuery(Object.keys(querySchema.properties)),
      schema: { querystring: querySchema, response: answerSchema }
    },
    async (request, reply) => {
      const { limit, cursor, ...filter } = request.query
      const size = Math.min(Math.max(limit, 1), MAX_LIMIT)
      reply.header('cache-control', 'no-store')
      if (store === null) throw new AuditUnavailable()
      return listOrRefuse(store, filter, { limit: size, ...(cursor === undefined ? {} : { cursor }) }, request)
    }
  )
}

/** A mistake of the caller keeps its status; a store that fails is only logged. */
async function listOrRefuse(
  store: Pick<AuditStore, 'list'>,
  filter: AuditFilter,
  page: { limit: number; cursor?: string },
  request: FastifyRequest
) {
  try {
    return await store.list(filter, page)
  } catch (error) {
    if ((error as { statusCode?: unknown } | null)?.statusCode === 400) throw error
    const level = request.server.outageLog.isNews(error) ? 'error' : 'debug'
    request.log[level]({ code: 'SVC_AUDIT_STORE', err: error }, 'the audit store cannot be read')
    throw new AuditUnavailable()
  }
}
