/**
 * The answer to a caller whose rights suffice and whose proof does not: what to prove, as data for a front end. A bearer
 * token is answered with the challenge of RFC 9470, a session with 403.
 */
import { ProofDue, StepUpRequired } from '../errors.ts'
import type { AccessToken } from '../identity/identity.ts'
import { isBearer, type ProofDemand, stepUpOf } from './proof-demand.ts'

/** The codes of these answers, for descriptions. */
export const STEP_UP_ERRORS = Object.freeze([ProofDue, StepUpRequired])

/** @param demands at least one @param scheme of the challenge; a token that is bound to a key gets `DPoP` (RFC 9449, 7.1) */
export function proofRefusal(token: AccessToken, demands: readonly ProofDemand[], scheme = 'Bearer'): Error {
  const { maxAge, factors } = stepUpOf(demands)
  const asked = { ...(maxAge === null ? {} : { maxAge }), ...(factors.length === 0 ? {} : { factors }) }
  if (!isBearer(token)) return Object.assign(new ProofDue(), asked)
  const bound = Object.hasOwn(token, 'jkt') && typeof token.jkt === 'string'
  const headers = { 'www-authenticate': challenge(bound ? 'DPoP' : scheme, maxAge, demands) }
  return Object.assign(new StepUpRequired(), asked, { headers })
}

/** RFC 9470, section 3; each value is digits or names, so none needs an escape. */
function challenge(scheme: string, maxAge: number | null, demands: readonly ProofDemand[]): string {
  const levels = [...new Set(demands.flatMap(({ factor }) => factor ?? []))]
  const parameters = [
    'error="insufficient_user_authentication"',
    'error_description="A more recent or a stronger authentication is required"',
    ...(maxAge === null ? [] : [`max_age="${maxAge}"`]),
    ...(levels.length === 0 ? [] : [`acr_values="${levels.map((level) => ACR[level]).join(' ')}"`])
  ]
  return `${scheme} ${parameters.join(', ')}`
}

/** As the claim `acr` of our own tokens says them. */
const ACR = Object.freeze({ totp: 'totp', passkey: 'passkey', any: 'mfa' })

/** Whether a refusal ends once the caller has proven more. */
export function isStepUp(error: unknown): boolean {
  return error instanceof ProofDue || error instanceof StepUpRequired
}
