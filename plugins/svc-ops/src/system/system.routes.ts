/** Rates, state and the level of the log, for administrators. What changes is audited, and asks a browser for its proof. */
import type { FastifyInstance } from 'fastify'
import { type Clock, decoratorOf } from 'svc-kernel'
import { adminChange, adminRoute, strictQuery } from 'svc-kernel/plugin'
import * as answers from '../answers.ts'
import { LogLevelFixed } from '../errors.ts'
import { OPS_API } from './ops-api.ts'
import type { RequestRates } from './request-rates.ts'
import type { SystemHistory } from './system-history.ts'
import { logLevelOf, type SystemView } from './system-view.ts'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

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
      schema: { response: { 200: answers.rates } }
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      const now = clock.now()
      return { minutes: requests.read(now), total: requests.total(now) }
    }
  )

  fastify.get(
    `${OPS_API}/system`,
    { ...adminRoute('svc.ops.system'), preValidation: strictQuery([]), schema: { response: { 200: answers.system } } },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return view.read()
    }
  )

  fastify.get(
    `${OPS_API}/history`,
    {
      ...adminRoute('svc.ops.history'),
      preValidation: strictQuery([]),
      schema: { response: { 200: answers.history } }
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { samples: history.read() }
    }
  )

  fastify.put<{ Body: { level: (typeof LEVELS)[number] } }>(
    `${OPS_API}/log-level`,
    {
      ...adminChange('svc.ops.log-level', decoratorOf(fastify, 'gates')?.csrf ?? null),
      schema: { body: levelBody, response: { 200: answers.logLevel }, errors: [LogLevelFixed] }
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
