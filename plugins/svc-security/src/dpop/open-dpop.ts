/** Opens proofs of possession from the options: off, they cost nothing; on, each is remembered until it is too old to come again. */
import type { FastifyInstance } from 'fastify'
import type { Clock } from 'svc-kernel'
import { idempotencyStore } from '../idempotency/idempotency-store.ts'
import { ReplayGuard } from '../idempotency/replay-guard.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import type { KeyRing } from '../signing-keys/key-set.ts'
import { guardedStore } from '../stores/guarded-store.ts'
import { DpopNonces } from './dpop-nonces.ts'
import { DpopPolicy, NO_DPOP } from './dpop-policy.ts'
import { DpopProofs } from './dpop-proofs.ts'

export interface DpopSetting {
  readonly config: Pick<SecurityConfig, 'jwt' | 'idempotency'>
  readonly parts: SvcSecurityParts
  readonly clock: Clock
  readonly ring: KeyRing
}

export function openDpop(fastify: FastifyInstance, { config, parts, clock, ring }: DpopSetting): DpopPolicy {
  const { dpop, dpopNonceS, dpopOrigins: origins, clockToleranceS } = config.jwt
  if (dpop === 'off') return NO_DPOP
  const { store } = fastify.stores.select(idempotencyStore, config.idempotency.store, parts.stores?.idempotency)
  const replays = new ReplayGuard(guardedStore(idempotencyStore, store), 'dpop')
  const nonceLifeMs = dpopNonceS * 1000
  const nonces = dpopNonceS === 0 ? null : new DpopNonces(ring, nonceLifeMs)
  const proofs = new DpopProofs({ clock, replays, nonces, nonceLifeMs, toleranceMs: clockToleranceS * 1000, origins })
  return new DpopPolicy(proofs, dpop === 'required')
}
