/** The list of requests for administrators, and one of them whole. Where none are recorded, both say so. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { adminRoute, strictQuery } from 'svc-kernel/plugin'
import { RequestsOff, RequestUnknown } from '../errors.ts'
import { OPS_API } from '../system/ops-api.ts'
import { summaryOf, wholeOf } from './record-view.ts'
import type { RequestFilter } from './request-filter.ts'
import type { RequestLog } from './request-log.ts'

const MAX_LIMIT = 200

const text = { type: 'string' } as const
const textOrNull = { type: ['string', 'null'] } as const
const integer = { type: 'integer' } as const
const number = { type: 'number' } as const
const numberOrNull = { type: ['number', 'null'] } as const
const flag = { type: 'boolean' } as const
const listOf = <const Properties>(properties: Properties) =>
  ({ type: 'array', items: { type: 'object', properties } }) as const
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

const common = {
  seq: integer,
  id: text,
  at: integer,
  durationMs: number,
  method: text,
  route: textOrNull,
  url: text,
  handler: textOrNull,
  status: integer,
  error: textOrNull,
  user: textOrNull,
  tokenType: textOrNull
} as const

const summary = {
  ...common,
  zone: textOrNull,
  authenticator: textOrNull,
  statements: integer,
  events: integer,
  deliveries: integer,
  messages: integer
} as const

const whole = {
  type: 'object',
  properties: {
    ...common,
    failure: { type: ['object', 'null'], properties: { name: text, message: text, stack: text } },
    ip: text,
    headers: { type: 'object', additionalProperties: text },
    phases: {
      type: 'object',
      properties: {
        admitted: numberOrNull,
        guarded: numberOrNull,
        parsed: numberOrNull,
        validated: numberOrNull,
        handled: numberOrNull
      }
    },
    admission: {
      type: ['object', 'null'],
      properties: { zone: text, authenticator: textOrNull, outcome: text, tokenType: textOrNull, reason: textOrNull }
    },
    decisions: listOf({
      attribute: text,
      subject: textOrNull,
      granted: flag,
      reason: textOrNull,
      votes: listOf({ voter: text, vote: text, reason: text })
    }),
    statements: listOf({
      connector: text,
      kind: text,
      table: textOrNull,
      text: textOrNull,
      at: numberOrNull,
      durationMs: number,
      failed: flag,
      afterwards: flag
    }),
    events: listOf({ id: text, action: text, afterwards: flag }),
    deliveries: listOf({
      endpointId: text,
      eventId: text,
      afterwards: flag,
      messageId: textOrNull,
      state: text,
      attempts: integer,
      status: { type: ['integer', 'null'] }
    }),
    messages: listOf({ channel: text, afterwards: flag, count: integer }),
    omitted: integer
  }
} as const

interface Query extends RequestFilter {
  readonly limit: number
  /** Only those before this one: `nextCursor` of the page before. */
  readonly cursor?: number
  /** Only those after this `seq`. */
  readonly after?: number
}

/** @param log `null` where requests are not recorded */
export function requestsRoutes(fastify: FastifyInstance, log: RequestLog | null): void {
  fastify.get<{ Querystring: Query }>(
    `${OPS_API}/requests`,
    {
      ...adminRoute('svc.ops.requests'),
      preValidation: strictQuery(Object.keys(querySchema.properties)),
      schema: {
        querystring: querySchema,
        response: {
          200: { type: 'object', properties: { items: listOf(summary), limit: integer, nextCursor: numberOrNull } }
        }
      }
    },
    async ({ query }, reply) => {
      const { limit, cursor, after, ...filter } = query
      const size = Math.min(Math.max(limit, 1), MAX_LIMIT)
      const { items, nextCursor } = recorded(log, reply).list(filter, size, cursor, after)
      return { items: items.map(summaryOf), limit: size, nextCursor }
    }
  )

  fastify.get<{ Params: { id: string } }>(
    `${OPS_API}/requests/:id`,
    {
      ...adminRoute('svc.ops.request'),
      schema: {
        params: { type: 'object', required: ['id'], properties: { id: { ...words, maxLength: 256 } } },
        response: { 200: whole }
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
