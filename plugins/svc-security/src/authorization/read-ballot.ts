/** Reads what a voter answered. Anything that is no vote throws, and so refuses the decision. */
import { InvalidVote } from '../errors.ts'
import { type ReasonedVote, Vote } from './vote.ts'

export function readBallot(given: unknown): ReasonedVote {
  const reasoned = typeof given === 'object' && given !== null
  const vote: unknown = reasoned ? (given as { vote?: unknown }).vote : given
  if (vote !== Vote.GRANT && vote !== Vote.DENY && vote !== Vote.ABSTAIN) {
    throw new InvalidVote('the voter answered neither GRANT, DENY nor ABSTAIN')
  }
  const reason: unknown = reasoned ? (given as { reason?: unknown }).reason : undefined
  return typeof reason === 'string' ? { vote, reason } : { vote }
}
