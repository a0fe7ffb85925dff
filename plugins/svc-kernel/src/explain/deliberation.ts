/** Puts the guard of a route before the jury, attribute by attribute, and keeps every vote. */
import type { Requirement } from '../access/requirement.ts'
import type { AccessToken } from '../identity/identity.ts'
import type { JuryExplanation } from '../ports/security-port.ts'
import type { SecurityView } from './security-view.ts'

export interface AttributeAnswer {
  readonly attribute: string
  /** Name and value of the route parameter that is the subject. */
  readonly subject?: { readonly param: string; readonly value: string | undefined }
  readonly granted: boolean
  /** `veto`, `error`, `abstain`, `no-voter`; `null` when granted. */
  readonly reason: string | null
  readonly votes: JuryExplanation['votes']
}

/** One granted attribute suffices. */
export interface ClauseAnswer {
  readonly granted: boolean
  readonly attributes: readonly AttributeAnswer[]
}

/** @param security `null` where the application has no svc-security: without votes no caller passes */
export function deliberate(
  security: SecurityView | null,
  token: AccessToken,
  requirement: Requirement,
  params: Readonly<Record<string, string | undefined>>
): Promise<ClauseAnswer[]> {
  return Promise.all(
    requirement.map(async (clause) => {
      const attributes = await Promise.all(
        clause.map(async ({ attribute, subject }): Promise<AttributeAnswer> => {
          const value = subject === undefined ? undefined : params[subject]
          const verdict = (await security?.explain(token, attribute, value)) ?? UNDECIDED
          const about = subject === undefined ? {} : { subject: { param: subject, value } }
          return { attribute, ...about, granted: verdict.granted, reason: verdict.reason, votes: verdict.votes }
        })
      )
      return { granted: attributes.some(({ granted }) => granted), attributes }
    })
  )
}

const UNDECIDED = Object.freeze({ granted: false, reason: 'no-voter', votes: [] })

const BY_WEIGHT = ['veto', 'error', 'abstain', 'no-voter']

/** The reason that weighs most in the first clause that is refused, as the audit names it. */
export function refusalReason(clauses: readonly ClauseAnswer[]): string | null {
  const refused = clauses.find(({ granted }) => !granted)
  if (refused === undefined) return clauses.length === 0 ? 'no-voter' : null
  const reasons = refused.attributes.map(({ reason }) => reason)
  return BY_WEIGHT.find((reason) => reasons.includes(reason)) ?? 'no-voter'
}
