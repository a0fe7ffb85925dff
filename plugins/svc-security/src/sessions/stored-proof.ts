/**
 * When and by what a user was proven, as sessions and refresh tokens store it: epoch ms, then each factor, parted by blanks.
 * Text, so that a store copies no list for each request. What cannot be read proves nothing.
 */
import { factorList } from 'svc-kernel/plugin'

export interface Proof {
  /** Epoch ms; `null` if unknown. */
  readonly provenAt: number | null
  readonly factors: readonly string[]
}

export const UNPROVEN: Proof = Object.freeze({ provenAt: null, factors: factorList([]) })

const FORM = /^(\d{1,16})((?: [^ ]+)*)$/

/** Read proofs, by their text; many requests bring the same. */
const known = new Map<string, Proof>()
const MOST_KNOWN = 1000

export function readProof(stored: unknown): Proof {
  return typeof stored === 'string' ? (known.get(stored) ?? parse(stored)) : UNPROVEN
}

function parse(text: string): Proof {
  const [, at, factors = ''] = FORM.exec(text) ?? []
  if (at === undefined) return UNPROVEN
  const proof = Object.freeze({ provenAt: Number(at), factors: factorList(factors.split(' ').slice(1)) })
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(text, proof)
  return proof
}

const SEVERAL = 'mfa'

/** What a provider reports, and the application has not accepted, is no factor beside the login there. */
const REPORTED = 'social:'

/** Each factor once; two of different kinds are a login with several (`mfa`, RFC 8176). @param at epoch ms */
export function writeProof(at: number, factors: readonly string[]): string {
  // One with a blank would be read as several.
  const named = new Set(factors.filter((factor) => factor !== SEVERAL && /^[^ ]+$/.test(factor)))
  const kinds = [...named].filter((factor) => !factor.startsWith(REPORTED))
  return [at, ...named, ...(kinds.length > 1 ? [SEVERAL] : [])].join(' ')
}

/** @param proven `true` for now, by what is not known @param now epoch ms @returns `null` for what is not known to be proven */
export function storedProof(proven: boolean | Proof, now: number): string | null {
  if (typeof proven === 'boolean') return proven ? writeProof(now, []) : null
  const { provenAt, factors } = proven
  return provenAt === null ? null : writeProof(Math.floor(provenAt), factors)
}
