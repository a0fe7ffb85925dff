/** The list of requests for administrators, and one of them whole. Where none are recorded, both say so. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { adminRoute, strictQuery } from 'svc-kernel/plugin'
import { flag } from 'svc-kernel/schemas'
import * as answers from '../answers.ts'
import { RequestsOff, RequestUnknown } from '../errors.ts'
import { OPS_API } from '../system/ops-api.ts'
import { summaryOf, wholeOf } from './record-view.ts'
import type { RequestFilter } from './request-filter.ts'
import type { RequestLog } from './request-log.ts'

const MAX_LIMIT = 200

const words = { type: 'string', minLength: 1, maxLength: 1024 } as const
const natural = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

const querySchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    q: { ...words, maxLength: 200 },
    method: { type: 'string', pattern: '^[A-Z]{1,20}$' },
    status: { type: 'string', pattern: '^[1-5](?:xx|[0-9]{2})$' },
    route: words,
    user: words,
    error: words,
    zone: words,
    own: flag,
    minMs: natural,
    since: natural,
    until: natural,
    limit: { type: 'integer', default: 50 },
    cursor: natural,
    after: natural
  }
} as const

interface Query extends RequestFilter {
  readonly limit: number
  /** Only those before this one: `nextCursor` of the page before. */
  readonly cursor?: number
  /** Only those after this `seq`. */
  readonly after?: number
}

/** @param log `null` where requests are not recorded @param instance whose requests they are; `null` without a name */
export function requestsRoutes(fastify: FastifyInstance, log: RequestLog | null, instance: string | null): void {
  fastify.get<{ Querystring: Query }>(
    `${OPS_API}/requests`,
    {
      ...adminRoute('svc.ops.requests'),
      preValidation: strictQuery(Object.keys(querySchema.properties)),
      schema: {
        querystring: querySchema,
        response: { 200: answers.requests },
        errors: [RequestsOff]
      }
    },
    async ({ query }, reply) => {
      const { limit, cursor, after, ...filter } = query
      const size = Math.min(Math.max(limit, 1), MAX_LIMIT)
      const { items, nextCursor } = recorded(log, reply).list(filter, size, cursor, after)
      return { items: items.map(summaryOf), limit: size, nextCursor, instance }
    }
  )

  fastify.get<{ Params: { id: string } }>(
    `${OPS_API}/requests/:id`,
    {
      ...adminRoute('svc.ops.request'),
      schema: {
        params: { type: 'object', required: ['id'], properties: { id: { ...words, maxLength: 256 } } },
        response: { 200: answers.wholeRequest },
        errors: [RequestsOff, RequestUnknown]
      }
    },
    async ({ params }, reply) => {
      const record = recorded(log, reply).find(params.id)
      if (record === null) throw new RequestUnknown()
      return wholeOf(record)
    }
  )
}

/** @throws RequestsOff (404) */
function recorded(log: RequestLog | null, reply: FastifyReply): RequestLog {
  reply.header('cache-control', 'no-store')
  if (log === null) throw new RequestsOff()
  return log
}
