/** The idempotency gate as the hooks of a route: it comes after the guard and after validation. */
import type { FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify'
import { ANONYMOUS, openerOf } from 'svc-kernel'
import { IdempotencyUnavailable } from '../errors.ts'
import type { IdempotencyGate } from './idempotency-gate.ts'
import { IDEMPOTENCY_HEADER } from './idempotency-key.ts'

export const REPLAYED_HEADER = 'idempotency-replayed'

/** @param gate `null` where the brick has no store: what asks to be done once is then refused, the rest passes */
export function idempotencyHooks(gate: IdempotencyGate | null): {
  preHandler: preHandlerHookHandler
  onSend: onSendHookHandler
} {
  return {
    preHandler: async function answerRepeated(request, reply) {
      if (gate === null) refuseKeys(request)
      const answer = await gate?.enter(request)
      if (answer == null) return
      reply.code(answer.status).headers(answer.headers).header(REPLAYED_HEADER, 'true')
      return reply.send(answer.body)
    },
    onSend: async function keepAnswer(request, reply, payload) {
      await gate?.leave(request, reply, payload)
      return payload
    }
  }
}

/** Over a socket every change has a key. Who is nobody has none of their own, and passes, as with a store. */
function refuseKeys(request: FastifyRequest): void {
  if (request.user === null || request.user === ANONYMOUS) return
  if (request.headers[IDEMPOTENCY_HEADER] !== undefined || openerOf(request) !== null)
    throw new IdempotencyUnavailable()
}
