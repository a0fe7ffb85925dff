/**
 * What a guard may ask of the proof behind an identity: that it is recent, `FRESH(300)`, or that a factor was shown,
 * `FACTOR(passkey)`. Both are attributes like any other, so voters, explanations and descriptions see them. A machine, whose
 * token names no login, passes only what says `machines`. Pure: the time is given.
 */
import { InvalidRequiredProof } from '../errors.ts'
import { type AccessToken, ANONYMOUS } from '../identity/identity.ts'
import { isAmbient, isMachine, proofOf } from '../identity/proof-kind.ts'
import type { FactorName, RequiredProof } from '../identity/required-proof.ts'
import type { Clause, Requirement } from './requirement.ts'

/** One attribute, read. */
export interface ProofDemand {
  readonly maxAgeS: number | null
  readonly factor: FactorName | null
  readonly machines: boolean
}

/**
 * `old` and `factor`: the caller may prove more, and try again. `machine` and `visitor`: no proof of theirs would do.
 */
export type ProofFinding = 'met' | 'old' | 'factor' | 'machine' | 'visitor'

export const FACTOR_NAMES: readonly FactorName[] = Object.freeze(['totp', 'passkey', 'any'])

/** The names in `token.factors` that meet a demand; those of `any` are no password. */
const MET_BY: Readonly<Record<FactorName, ReadonlySet<unknown>>> = Object.freeze({
  totp: new Set(['otp']),
  passkey: new Set(['passkey']),
  any: new Set(['otp', 'passkey', 'recovery', 'federated'])
})

/** What a front end may ask for, as the answer of a login names it. */
const SHOWN: Readonly<Record<FactorName, readonly string[]>> = Object.freeze({
  totp: Object.freeze(['totp']),
  passkey: Object.freeze(['passkey']),
  any: Object.freeze(['totp', 'passkey'])
})

/** How far the clocks of two instances may be apart, in milliseconds. */
const CLOCKS_MS = 60_000

export const MAX_AGE_S = 31_536_000

/** The attributes of a demand. @throws InvalidRequiredProof for what no attribute can say */
export function proofAttributes({ maxAgeS, factor, machines = false }: RequiredProof): string[] {
  const suffix = machines === true ? ',machines' : ''
  const attributes = [
    ...(maxAgeS === undefined ? [] : [`FRESH(${maxAgeS}${suffix})`]),
    ...(factor === undefined ? [] : [`FACTOR(${factor}${suffix})`])
  ]
  if (attributes.length === 0 || attributes.some((attribute) => proofDemandOf(attribute) === null)) {
    const expected = `maxAgeS, 1 to ${MAX_AGE_S}, or factor, one of ${FACTOR_NAMES.join(', ')}`
    throw new InvalidRequiredProof(JSON.stringify({ maxAgeS, factor }), expected)
  }
  return attributes
}

/** One clause for each: they are an AND. */
export function proofRequirement(required: RequiredProof): Requirement {
  return Object.freeze(proofAttributes(required).map((attribute) => Object.freeze([Object.freeze({ attribute })])))
}

const FORM = /^(?:FRESH\(([1-9]\d{0,7})|FACTOR\((totp|passkey|any))(,machines)?\)$/

/** Attributes that were read; guards name few. */
const known = new Map<string, ProofDemand | null>()
const MOST_KNOWN = 1000

/** @returns `null` for an attribute that is none of these */
export function proofDemandOf(attribute: string): ProofDemand | null {
  const found = known.get(attribute)
  if (found !== undefined) return found
  const read = readDemand(attribute)
  if (known.size < MOST_KNOWN) known.set(attribute, read)
  return read
}

function readDemand(attribute: string): ProofDemand | null {
  const [, age, factor, machines] = FORM.exec(attribute) ?? []
  if ((age === undefined && factor === undefined) || Number(age ?? 0) > MAX_AGE_S) return null
  return Object.freeze({
    maxAgeS: age === undefined ? null : Number(age),
    factor: (factor as FactorName | undefined) ?? null,
    machines: machines !== undefined
  })
}

/** @param now epoch ms; a token that was asked for at another time, as by a job, is measured at that */
export function findProof(token: AccessToken, { maxAgeS, factor, machines }: ProofDemand, now: number): ProofFinding {
  if (token.user === ANONYMOUS || token.type === 'anonymous') return 'visitor'
  const provenAt = ownTime(token, 'provenAt')
  if (isMachine(token) && provenAt === null) {
    if (machines) return 'met'
    if (!proofOf(token).stepUp) return 'machine'
  }
  if (factor !== null && !isShown(factor, factorsOf(token))) return 'factor'
  if (maxAgeS === null) return 'met'
  const age = provenAt === null ? Number.POSITIVE_INFINITY : (ownTime(token, 'askedAt') ?? now) - provenAt
  // A time that is still to come proves nothing either.
  return age >= -CLOCKS_MS && age <= maxAgeS * 1000 ? 'met' : 'old'
}

/** A key without PIN or fingerprint is one factor, and a second one beside a password. */
function isShown(factor: FactorName, shown: readonly unknown[]): boolean {
  if (shown.some((name) => MET_BY[factor].has(name))) return true
  return factor === 'any' && shown.includes('pop') && shown.includes('pwd')
}

/** The demands of a refused clause that its caller may still meet. */
export function openDemands(token: AccessToken, clause: Clause, now: number): ProofDemand[] {
  return clause.flatMap(({ attribute }) => {
    const demand = proofDemandOf(attribute)
    const finding = demand === null ? 'met' : findProof(token, demand, now)
    return demand !== null && (finding === 'old' || finding === 'factor') ? [demand] : []
  })
}

/** What a caller is to prove, of all demands together: the shortest age, and the factors that meet one of them. */
export function stepUpOf(demands: readonly ProofDemand[]): { maxAge: number | null; factors: readonly string[] } {
  const ages = demands.flatMap(({ maxAgeS }) => maxAgeS ?? [])
  const named = demands.flatMap(({ factor }) => factor ?? [])
  // Of `any` and `totp` together, only the narrower one meets both.
  const narrow = named.some((factor) => factor !== 'any') ? named.filter((factor) => factor !== 'any') : named
  const factors = [...new Set(narrow.flatMap((factor) => SHOWN[factor]))]
  return { maxAge: ages.length === 0 ? null : Math.min(...ages), factors }
}

/** A bearer token is asked for again at its issuer (RFC 9470); whoever has a session or a password confirms here. */
export function isBearer(token: object): boolean {
  return proofOf(token).carrier === 'authorization' && !isAmbient(token)
}

/** Own property only, as for everything that decides on rights. */
function ownTime(token: AccessToken, name: 'provenAt' | 'askedAt'): number | null {
  const value: unknown = Object.hasOwn(token, name) ? token[name] : null
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function factorsOf(token: AccessToken): readonly unknown[] {
  return Object.hasOwn(token, 'factors') && Array.isArray(token.factors) ? token.factors : []
}
