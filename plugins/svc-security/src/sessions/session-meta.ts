/**
 * What a session keeps beside its content, where no code of the application writes: where it was opened, when and by what
 * its user was proven. One that an older version opened says nothing of its proof.
 */
import type { FastifyRequest } from 'fastify'
import type { JsonObject } from 'svc-stores'
import { printable } from '../journal/audit-writer.ts'
import type { SessionRecord } from './session-store.ts'

export function originOf(request: FastifyRequest): JsonObject {
  const agent = request.headers['user-agent']
  return { ip: request.ip ?? null, userAgent: agent === undefined ? null : printable(agent) }
}

export interface SessionProof {
  /** Epoch ms. */
  readonly provenAt: number | null
  readonly factors: readonly string[]
}

const UNPROVEN: SessionProof = Object.freeze({ provenAt: null, factors: Object.freeze([]) })

/** What a token takes from it; a token leaves out what is no time or no text. */
export function proofOf({ meta: { proof } }: Pick<SessionRecord, 'meta'>): SessionProof {
  if (typeof proof !== 'object' || proof === null || Array.isArray(proof)) return UNPROVEN
  const { at, factors } = proof as JsonObject
  return { provenAt: typeof at === 'number' ? at : null, factors: Array.isArray(factors) ? (factors as string[]) : [] }
}

const SEVERAL = 'mfa'

/** Each factor once; two of different kinds are a login with several (`mfa`, RFC 8176). @param at epoch ms */
export function provenNow(at: number, factors: readonly string[]): JsonObject {
  const named = new Set(factors.filter((factor) => factor !== SEVERAL))
  return { proof: { at, factors: named.size > 1 ? [...named, SEVERAL] : [...named] } }
}
