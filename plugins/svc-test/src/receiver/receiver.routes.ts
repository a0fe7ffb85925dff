/**
 * A receiver of webhooks for development: it verifies, answers any status, answers slowly, and shows what came. No zone
 * asks for proof: the signature is the proof (spec, "Webhook signature authentication").
 */
import type { FastifyInstance } from 'fastify'
import type { Clock, RouteSecurity } from 'svc-kernel'
import { flag, integer, listOf, mapOf, object, text, textOrNull } from 'svc-kernel/schemas'
import type { TestConfig } from '../options.ts'
import { Receiver } from './receiver.ts'
import { SlowAnswers } from './slow-answers.ts'

/** One secret: given twice, it is not guessed which one is meant (400). */
const secretQuery = {
  type: 'object',
  properties: { secret: { type: 'string', maxLength: 200 } }
} as const

const slowQuery = {
  type: 'object',
  required: ['ms'],
  properties: { ...secretQuery.properties, ms: { type: 'integer', minimum: 0, maximum: 600_000 } }
} as const

const statusParams = {
  type: 'object',
  required: ['code'],
  properties: { code: { type: 'integer', minimum: 200, maximum: 599 } }
} as const

const receivedAnswer = {
  200: object({
    total: integer,
    received: listOf(
      object({
        at: integer,
        route: text,
        id: textOrNull,
        type: textOrNull,
        verified: { type: ['boolean', 'null'] },
        reason: textOrNull,
        repeat: flag,
        status: integer,
        headers: mapOf(text),
        body: text
      })
    )
  })
} as const

export const RECEIVER = '/svc/test/webhooks'

/** Answers that carry no body (RFC 9110, 6.4.1). */
const WITHOUT_BODY = new Set([204, 205, 304])

interface SecretQuery {
  readonly secret?: string
}

export function receiverRoutes(fastify: FastifyInstance, config: TestConfig, clock: Clock): void {
  const receiver = new Receiver(config, clock)
  const slow = new SlowAnswers(clock)
  fastify.addHook('preClose', async () => slow.letGo())

  fastify.post<{ Querystring: SecretQuery }>(
    `${RECEIVER}/sink`,
    { schema: { querystring: secretQuery }, config: { svc: security('sink') } },
    async (request) => {
      const refusal = receiver.verify(request, 'sink', request.query.secret)
      if (refusal !== null) throw refusal
      return { ok: true }
    }
  )

  fastify.post<{ Querystring: SecretQuery; Params: { code: number } }>(
    `${RECEIVER}/sink/status/:code`,
    { schema: { querystring: secretQuery, params: statusParams }, config: { svc: security('status') } },
    async (request, reply) => {
      const { code } = request.params
      receiver.note(request, 'status', request.query.secret, code)
      // The sender must not follow a redirect.
      if (code >= 300 && code < 400) reply.header('location', `${RECEIVER}/sink`)
      reply.code(code)
      return WITHOUT_BODY.has(code) ? reply.send() : { status: code }
    }
  )

  fastify.post<{ Querystring: SecretQuery & { ms: number } }>(
    `${RECEIVER}/sink/slow`,
    { schema: { querystring: slowQuery }, config: { svc: security('slow') } },
    async (request, reply) => {
      const { ms, secret } = request.query
      receiver.note(request, 'slow', secret, 200)
      await slow.wait(ms, (leave) => reply.raw.once('close', leave))
      return { ok: true, ms }
    }
  )

  fastify.get(
    `${RECEIVER}/received`,
    { schema: { response: receivedAnswer }, config: { svc: security('received') } },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { total: receiver.total, received: receiver.newest() }
    }
  )
}

function security(name: string): RouteSecurity {
  return {
    name: `svc.test.${name}`,
    requirement: null,
    anonymous: false,
    bypassFirewall: true,
    transports: ['HTTP'],
    source: null
  }
}
