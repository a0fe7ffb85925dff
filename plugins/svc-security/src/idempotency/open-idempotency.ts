/** Puts the idempotency gate together from the options. */
import type { FastifyInstance } from 'fastify'
import type { Clock, GatesPort } from 'svc-kernel'
import type { IdempotencyStore } from 'svc-stores'
import type { IdempotencyConfig } from '../options.ts'
import { PeriodicPurge } from '../stores/periodic-purge.ts'
import { idempotencyHooks } from './idempotency.hook.ts'
import { IdempotencyGate, idempotencySlot } from './idempotency-gate.ts'

export interface IdempotencyParts {
  readonly setting: IdempotencyConfig
  readonly ready: IdempotencyStore | undefined
  readonly clock: Clock
}

const PURGE_INTERVAL_S = 600

export function openIdempotency(fastify: FastifyInstance, parts: IdempotencyParts): GatesPort['idempotency'] {
  const { setting, ready, clock } = parts
  const { store } = fastify.stores.select('idempotency', setting.store, ready)
  const gate = store === null ? null : new IdempotencyGate(store, setting.ttlMs, fastify.log)
  fastify.decorateRequest(idempotencySlot, null)
  if (store !== null) {
    const sweep = () => store.purge()
    const log = fastify.log
    const purge = new PeriodicPurge({ name: 'idempotency keys', intervalS: PURGE_INTERVAL_S, sweep, clock, log })
    fastify.addHook('onReady', async () => purge.start())
    fastify.addHook('onClose', async () => purge.stop())
  }
  return idempotencyHooks(gate)
}
