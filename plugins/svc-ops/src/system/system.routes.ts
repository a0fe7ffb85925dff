/** Rates, state and the level of the log, for administrators. What changes is audited, and asks a browser for its proof. */
import type { FastifyInstance } from 'fastify'
import { type Clock, decoratorOf } from 'svc-kernel'
import { adminChange, adminRoute, strictQuery } from 'svc-kernel/plugin'
import { LogLevelFixed } from '../errors.ts'
import { OPS_API } from './ops-api.ts'
import type { RequestRates } from './request-rates.ts'
import type { SystemHistory } from './system-history.ts'
import { logLevelOf, type SystemView } from './system-view.ts'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const text = { type: 'string' } as const
const textOrNull = { type: ['string', 'null'] } as const
const integer = { type: 'integer' } as const
const number = { type: 'number' } as const
const numberOrNull = { type: ['number', 'null'] } as const
const object = <const Properties>(properties: Properties) => ({ type: 'object', properties }) as const
const listOf = <const Properties>(properties: Properties) => ({ type: 'array', items: object(properties) }) as const

const rates = { count: integer, failures: integer, p50: numberOrNull, p95: numberOrNull, p99: numberOrNull } as const

const eventLoop = object({ p50Ms: number, p99Ms: number, maxMs: number, utilization: number })
const queues = listOf({ name: text, depth: integer })

const historySchema = object({
  samples: listOf({ at: integer, eventLoop, memory: object({ rss: integer, heapUsed: integer }), queues })
})

const systemSchema = object({
  name: text,
  mode: text,
  pid: integer,
  versions: object({ node: text, fastify: text }),
  startedAt: integer,
  uptimeS: integer,
  cpuS: object({ user: number, system: number }),
  memory: object({ rss: integer, heapUsed: integer, heapTotal: integer, external: integer }),
  eventLoop,
  health: listOf({ name: text, healthy: { type: 'boolean' } }),
  queues,
  modules: listOf({ name: text, version: textOrNull, options: { type: 'object', additionalProperties: true } }),
  logLevel: textOrNull
})

const levelBody = {
  type: 'object',
  additionalProperties: false,
  required: ['level'],
  properties: { level: { enum: LEVELS } }
} as const

export interface SystemParts {
  readonly rates: RequestRates
  readonly history: SystemHistory
  readonly view: SystemView
  readonly clock: Clock
}

export function systemRoutes(fastify: FastifyInstance, { rates: requests, history, view, clock }: SystemParts): void {
  fastify.addHook('onResponse', (_request, reply, done) => {
    requests.add(clock.now(), reply.elapsedTime, reply.statusCode)
    done()
  })

  fastify.get(
    `${OPS_API}/rates`,
    {
      ...adminRoute('svc.ops.rates'),
      preValidation: strictQuery([]),
      schema: { response: { 200: object({ minutes: listOf({ at: integer, ...rates }), total: object(rates) }) } }
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      const now = clock.now()
      return { minutes: requests.read(now), total: requests.total(now) }
    }
  )

  fastify.get(
    `${OPS_API}/system`,
    { ...adminRoute('svc.ops.system'), preValidation: strictQuery([]), schema: { response: { 200: systemSchema } } },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return view.read()
    }
  )

  fastify.get(
    `${OPS_API}/history`,
    { ...adminRoute('svc.ops.history'), preValidation: strictQuery([]), schema: { response: { 200: historySchema } } },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { samples: history.read() }
    }
  )

  fastify.put<{ Body: { level: (typeof LEVELS)[number] } }>(
    `${OPS_API}/log-level`,
    {
      ...adminChange('svc.ops.log-level', decoratorOf(fastify, 'gates')?.csrf ?? null),
      schema: { body: levelBody, response: { 200: object({ level: text, before: text }) } }
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const before = logLevelOf(fastify)
      if (before === null) throw new LogLevelFixed()
      const { level } = request.body
      fastify.log.level = level
      if (fastify.hasDecorator('audit')) {
        fastify.audit.record({
          category: 'config',
          action: 'config.update',
          outcome: 'success',
          actor: request.user?.identifier ?? null,
          resource: 'log.level',
          ip: request.ip,
          userAgent: request.headers['user-agent'] ?? null,
          requestId: request.id,
          metadata: { key: 'log.level', before, after: level }
        })
      }
      return { level, before }
    }
  )
}
