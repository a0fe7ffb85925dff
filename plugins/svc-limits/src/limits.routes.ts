/** The limits of the application for administrators, and who spends them now. */
import type { FastifyInstance } from 'fastify'
import { adminRoute, strictQuery } from 'svc-kernel/plugin'
import * as answers from './answers.ts'
import type { RouteLimits } from './enforcement/route-limits.ts'
import { LimitNotFound, SpendingUnavailable } from './errors.ts'
import { remaining, seconds } from './limit/gcra.ts'
import type { Limit } from './limit/limit.ts'
import type { Limits } from './limiter/limits.ts'
import type { LimitsStore } from './storage/limits-store.ts'
import type { LimitList, LimitSpending } from './wire.ts'

const MAX_CALLERS = 100

const query = {
  type: 'object',
  additionalProperties: false,
  required: ['limit'],
  properties: {
    /** Name of the limit. */
    limit: { type: 'string', minLength: 1, maxLength: 400 },
    count: { type: 'integer', minimum: 1, maximum: MAX_CALLERS, default: 20 }
  }
} as const

export interface LimitRoutesParts {
  readonly limits: Limits
  readonly routeLimits: RouteLimits
  readonly store: LimitsStore
  readonly driver: string
}

export function limitRoutes(fastify: FastifyInstance, { limits, routeLimits, store, driver }: LimitRoutesParts): void {
  fastify.get(
    '/svc/limits/api/limits',
    {
      ...adminRoute('svc.limits.list'),
      preValidation: strictQuery([]),
      schema: { response: { 200: answers.limits } }
    },
    async (_request, reply): Promise<LimitList> => {
      reply.header('cache-control', 'no-store')
      return { store: driver, limits: [...limits.all.values()].map((limit) => listed(limit, routeLimits)) }
    }
  )

  fastify.get<{ Querystring: { limit: string; count: number } }>(
    '/svc/limits/api/spending',
    {
      ...adminRoute('svc.limits.spending'),
      preValidation: strictQuery(Object.keys(query.properties)),
      schema: {
        querystring: query,
        response: { 200: answers.spending },
        errors: [LimitNotFound, SpendingUnavailable]
      }
    },
    async (request, reply): Promise<LimitSpending> => {
      reply.header('cache-control', 'no-store')
      const { limit: name, count } = request.query
      const limit = limits.all.get(name)
      if (limit === undefined) throw new LimitNotFound()
      const found = await store.spending(name, count).catch((error: unknown) => {
        const level = request.server.outageLog.firstOccurrence(error) ? 'error' : 'debug'
        request.log[level]({ code: 'SVC_LIMIT_STORE', err: error }, 'what is spent of the limits cannot be read')
        throw new SpendingUnavailable()
      })
      const callers = found.map(({ caller, aheadUs }) => ({
        caller,
        spent: Math.ceil(aheadUs / limit.intervalUs),
        remaining: remaining(aheadUs, limit),
        resetS: seconds(aheadUs)
      }))
      return { limit: name, callers }
    }
  )
}

function listed(limit: Limit, routeLimits: RouteLimits): LimitList['limits'][number] {
  const operations = [...routeLimits].flatMap(([{ name }, counted]) =>
    counted
      .filter((each) => each.limit === limit)
      .map(({ by }) => ({ name, by: typeof by === 'function' ? 'function' : by }))
  )
  // A route and its HEAD are one operation.
  const once = new Map(operations.map((operation) => [`${operation.name} ${operation.by}`, operation]))
  const { name, rate, burst, onOutage } = limit
  return { name, ...rate, burst, onOutage, operations: [...once.values()] }
}
