/**
 * A receiver of webhooks for development: it verifies, answers any status, answers slowly,
 * and shows what came. No zone asks for proof: the signature is the proof (spec, "Webhook
 * signature authentication").
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock, RouteSecurity } from 'svc-kernel'
import { createSeenMessages } from 'svc-webhooks'
import type { TestConfig } from '../options.ts'
import { checkMessage } from './check-message.ts'
import { ReceivedMessages, shownBody, shownHeaders, typeOf } from './received-messages.ts'
import { receivedAnswer, secretQuery, slowQuery, statusParams } from './receiver-schemas.ts'
import { SlowAnswers } from './slow-answers.ts'

export const RECEIVER = '/svc/test/webhooks'

/** Answers that carry no body (RFC 9110, 6.4.1). */
const WITHOUT_BODY = new Set([204, 205, 304])

interface SecretQuery {
  readonly secret?: string
}

interface Receiver {
  readonly config: TestConfig
  readonly clock: Clock
}

export function receiverRoutes(fastify: FastifyInstance, { config, clock }: Receiver): void {
  const received = new ReceivedMessages(config.maxReceived)
  const seen = createSeenMessages({ maxEntries: config.maxReceived, clock })
  const slow = new SlowAnswers(clock)
  fastify.addHook('preClose', async () => slow.letGo())

  const judge = (request: FastifyRequest, secret: string | undefined) => {
    const { toleranceS } = config
    return checkMessage({
      secret: secret ?? null,
      headers: request.headers,
      body: bodyOf(request),
      toleranceS,
      now: () => clock.now()
    })
  }
  const note = (
    request: FastifyRequest,
    route: string,
    outcome: { refusal: Error | null | undefined; status: number }
  ) => {
    const { refusal, status } = outcome
    const id = request.headers['webhook-id']
    const known = typeof id === 'string' ? id.slice(0, 256) : null
    const verified = refusal === undefined ? null : refusal === null
    received.add({
      at: clock.now(),
      route,
      id: known,
      type: typeOf(bodyOf(request)),
      verified,
      reason: refusal?.message ?? null,
      repeat: known !== null && verified !== false && !seen.firstTime(known),
      status,
      headers: shownHeaders(request.headers),
      body: shownBody(bodyOf(request))
    })
  }

  fastify.post<{ Querystring: SecretQuery }>(
    `${RECEIVER}/sink`,
    { schema: { querystring: secretQuery }, config: { svc: security('sink') } },
    async (request) => {
      const refusal = judge(request, request.query.secret)
      note(request, 'sink', { refusal, status: (refusal as { statusCode?: number } | null)?.statusCode ?? 200 })
      if (refusal !== null) throw refusal
      return { ok: true }
    }
  )

  fastify.post<{ Querystring: SecretQuery; Params: { code: number } }>(
    `${RECEIVER}/sink/status/:code`,
    { schema: { querystring: secretQuery, params: statusParams }, config: { svc: security('status') } },
    async (request, reply) => {
      const { code } = request.params
      const { secret } = request.query
      note(request, 'status', { refusal: secret === undefined ? undefined : judge(request, secret), status: code })
      // Where a redirect leads nobody should follow.
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
      note(request, 'slow', { refusal: secret === undefined ? undefined : judge(request, secret), status: 200 })
      await slow.wait(ms, (leave) => reply.raw.once('close', leave))
      return { ok: true, ms }
    }
  )

  fastify.get(
    `${RECEIVER}/received`,
    { schema: { response: receivedAnswer }, config: { svc: security('received') } },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { total: received.total, received: received.newest() }
    }
  )
}

function bodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
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
