/** The idempotency gate as the hooks of a route: it comes after the guard and after validation. */
import type { onSendHookHandler, preHandlerHookHandler } from 'fastify'
import type { IdempotencyGate } from './idempotency-gate.ts'

export const REPLAYED_HEADER = 'idempotency-replayed'

/** @param gate `null` where the brick has no store: requests then pass as if they had no key */
export function idempotencyHooks(gate: IdempotencyGate | null): {
  preHandler: preHandlerHookHandler
  onSend: onSendHookHandler
} {
  return {
    preHandler: async function answerRepeated(request, reply) {
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
