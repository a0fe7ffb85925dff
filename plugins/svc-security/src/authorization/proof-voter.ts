/**
 * Votes on what a guard asks of the proof: `FRESH(300)` and `FACTOR(passkey)`. What is not met is a veto, so that no voter
 * of the application grants it by granting everything.
 */
import type { AccessToken, Clock } from 'svc-kernel'
import { findProof, isMachine, type ProofDemand, type ProofFinding, proofDemandOf } from 'svc-kernel/plugin'
import { type AccessVoter, Vote, type VoteResult } from './voter.ts'

export class ProofVoter implements AccessVoter {
  readonly name = 'proof'
  readonly #clock: Pick<Clock, 'now'>

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  supports(attribute: string): boolean {
    return proofDemandOf(attribute) !== null
  }

  vote(token: AccessToken, attribute: string): VoteResult {
    if (this.#find(token, attribute) === 'met') return Vote.GRANT
    return { vote: Vote.DENY, reason: this.explain(token, attribute) }
  }

  explain(token: AccessToken, attribute: string): string {
    const finding = this.#find(token, attribute)
    return SENTENCES[finding](token.getUserIdentifier(), demandOf(attribute), token)
  }

  #find(token: AccessToken, attribute: string): ProofFinding {
    return findProof(token, demandOf(attribute), this.#clock.now())
  }
}

/** Of an attribute that is supported. */
function demandOf(attribute: string): ProofDemand {
  return proofDemandOf(attribute) as ProofDemand
}

const SENTENCES: Readonly<Record<ProofFinding, (who: string, demand: ProofDemand, token: AccessToken) => string>> = {
  met: (who, { maxAgeS, factor }, token) => {
    if (isMachine(token) && token.provenAt === null) return `${who} is a machine, which the guard admits`
    return maxAgeS === null ? `${who} has shown ${named(factor)}` : `the proof of ${who} is at most ${maxAgeS} s old`
  },
  old: (who, { maxAgeS }) => `the proof of ${who} is older than ${maxAgeS} s, or its time is not known`,
  factor: (who, { factor }) => `${who} has not shown ${named(factor)}`,
  machine: (who) => `the credential of ${who} is that of a machine, which proves no person`,
  visitor: () => 'a visitor proves nothing'
}

function named(factor: ProofDemand['factor']): string {
  if (factor === 'any') return 'a second factor'
  return factor === 'totp' ? 'a one-time code' : 'a passkey'
}
