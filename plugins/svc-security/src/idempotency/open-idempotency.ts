/** Opens the idempotency gate from the options: the hooks of a route that come after its guard and its validation. */
import type { FastifyInstance, FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify'
import { ANONYMOUS, type Clock } from 'svc-kernel'
import { type GatesPort, openerOf, refusing } from 'svc-kernel/plugin'
import { IdempotencyInFlight, IdempotencyKeyInvalid, IdempotencyMismatch, IdempotencyUnavailable } from '../errors.ts'
import type { IdempotencyConfig } from '../options.ts'
import { IDEMPOTENCY_HEADER, IdempotencyGate, idempotencySlot } from './idempotency-gate.ts'
import { type IdempotencyStore, idempotencyStore } from './idempotency-store.ts'

export interface IdempotencyParts {
  readonly setting: IdempotencyConfig
  readonly ready: IdempotencyStore | undefined
  readonly clock: Clock
}

export const REPLAYED_HEADER = 'idempotency-replayed'

const PURGE_INTERVAL_S = 600

export function openIdempotency(fastify: FastifyInstance, parts: IdempotencyParts): GatesPort['idempotency'] {
  const { setting, ready, clock } = parts
  const { store } = fastify.stores.select(idempotencyStore, setting.store, ready)
  const gate = store === null ? null : new IdempotencyGate(store, setting.ttlMs, fastify.log)
  fastify.decorateRequest(idempotencySlot, null)
  if (store !== null) {
    const { brick } = idempotencyStore
    const work = () => store.purge()
    fastify.maintenance.declare({ name: 'idempotency-keys', store: brick, everyS: PURGE_INTERVAL_S, clock, work })
  }
  return idempotencyHooks(gate)
}

const REFUSALS = [IdempotencyKeyInvalid, IdempotencyInFlight, IdempotencyMismatch, IdempotencyUnavailable]

/** @param gate `null` where it has no store: what asks to be done once is then refused, the rest passes */
export function idempotencyHooks(gate: IdempotencyGate | null): {
  preHandler: preHandlerHookHandler
  onSend: onSendHookHandler
} {
  return {
    preHandler: refusing<preHandlerHookHandler>(
      async function answerRepeated(request, reply) {
        if (gate === null) refuseKeys(request)
        const answer = await gate?.enter(request)
        if (answer == null) return
        reply.code(answer.status).headers(answer.headers).header(REPLAYED_HEADER, 'true')
        return reply.send(answer.body)
      },
      ...REFUSALS
    ),
    onSend: async function keepAnswer(request, reply, payload) {
      await gate?.leave(request, reply, payload)
      return payload
    }
  }
}

/** Over a socket every change has a key. A caller without an identity has none, and passes, as with a store. */
function refuseKeys(request: FastifyRequest): void {
  if (request.user === null || request.user === ANONYMOUS) return
  if (request.headers[IDEMPOTENCY_HEADER] !== undefined || openerOf(request) !== null)
    throw new IdempotencyUnavailable()
}
