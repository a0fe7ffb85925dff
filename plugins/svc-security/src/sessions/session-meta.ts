/**
 * What a session keeps beside its content, where no code of the application writes: where it was opened, when and by what
 * its user was proven. One that an older version opened says nothing of its proof.
 */
import type { FastifyRequest } from 'fastify'
import { factorList } from 'svc-kernel/plugin'
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

const UNPROVEN: SessionProof = Object.freeze({ provenAt: null, factors: factorList([]) })

/** As it is stored: epoch ms, then each factor. Text, so that a store copies no list for each request. */
const KEPT = /^(\d{1,16})((?: [^ ]+)*)$/

/** Read proofs, by their text; many requests bring the same. */
const known = new Map<string, SessionProof>()
const MOST_KNOWN = 1000

/** What a token takes from it; what cannot be read says nothing. */
export function proofOf({ meta: { proof } }: Pick<SessionRecord, 'meta'>): SessionProof {
  return typeof proof === 'string' ? (known.get(proof) ?? readProof(proof)) : UNPROVEN
}

function readProof(text: string): SessionProof {
  const [, at, factors = ''] = KEPT.exec(text) ?? []
  if (at === undefined) return UNPROVEN
  const proof = Object.freeze({ provenAt: Number(at), factors: factorList(factors.split(' ').slice(1)) })
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(text, proof)
  return proof
}

const SEVERAL = 'mfa'

/** Each factor once; two of different kinds are a login with several (`mfa`, RFC 8176). @param at epoch ms */
export function provenNow(at: number, factors: readonly string[]): JsonObject {
  const named = new Set(factors.filter((factor) => factor !== SEVERAL))
  return { proof: [at, ...named, ...(named.size > 1 ? [SEVERAL] : [])].join(' ') }
}
