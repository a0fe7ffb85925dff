/**
 * What a session keeps beside its content, where no code of the application writes: where it was opened, when and by what
 * its user was proven. One that an older version opened says nothing of its proof.
 */
import type { FastifyRequest } from 'fastify'
import type { JsonObject } from 'svc-stores'
import { printable } from '../journal/audit-writer.ts'
import { newSessionId, sessionRef } from './session-cookie.ts'
import type { SessionRecord } from './session-store.ts'
import { type Proof, readProof, writeProof } from './stored-proof.ts'

export type { Proof } from './stored-proof.ts'

export function originOf(request: FastifyRequest): JsonObject {
  const agent = request.headers['user-agent']
  return { ip: request.ip ?? null, userAgent: agent === undefined ? null : printable(agent) }
}

/** What a token takes from it. */
export function proofOf({ meta: { proof } }: Pick<SessionRecord, 'meta'>): Proof {
  return readProof(proof)
}

/** What the next cookie of a session says beside its id, and what its record keeps of it. */
export function newRenewal(): { readonly renewal: string; readonly meta: JsonObject } {
  const renewal = newSessionId()
  return { renewal, meta: { renewal: sessionRef(renewal) } }
}

/** Whether a cookie is the newest of its session: a renewal ends the one before (ASVS 5.0, 7.2.4). */
export function isNewest(renewal: string | null, { meta }: Pick<SessionRecord, 'meta'>): boolean {
  const kept = meta.renewal ?? null
  return renewal === null ? kept === null : sessionRef(renewal) === kept
}

/** @param now epoch ms @param given factors that were shown now, or when and which */
export function provenNow(now: number, given: readonly string[] | Proof): JsonObject {
  if (!('factors' in given)) return { proof: writeProof(now, given) }
  return { proof: writeProof(given.provenAt ?? 0, given.factors) }
}
