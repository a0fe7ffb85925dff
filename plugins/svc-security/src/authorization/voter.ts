/** The contract of a voter, which votes on an attribute (spec, "Authorization", 6), and how its vote is read. */
import type { AccessToken } from 'svc-kernel'
import { InvalidVote } from '../errors.ts'

/** The three votes of the spec ("Authorization decision"). Any other value counts as a failure. */
export const Vote = Object.freeze({ GRANT: 'GRANT', DENY: 'DENY', ABSTAIN: 'ABSTAIN' } as const)

export type Vote = (typeof Vote)[keyof typeof Vote]

/** In favour; enough unless another voter denies. */
export const GRANT = Vote.GRANT

/** A veto that ends the decision. Use it for explicit prohibitions only. */
export const DENY = Vote.DENY

/** No opinion. Return it if the voter cannot decide. */
export const ABSTAIN = Vote.ABSTAIN

/** A vote with its reason, for log, audit journal and explanations, never for the caller. */
export interface ReasonedVote {
  readonly vote: Vote
  readonly reason?: string
}

/** What `vote` may return: a value, or a promise that settles within `jury.voterTimeoutMs`. */
export type VoteResult = Vote | ReasonedVote

/** Votes on attributes of a guard. One DENY refuses, one GRANT without a DENY grants, and ABSTAIN alone refuses. */
export interface AccessVoter {
  /** For logs and explanations; a registered voter appears under its registered name. */
  readonly name?: string
  /**
   * Does this voter vote on the attribute? Synchronous and cheap: called for every decision, and at boot (with an
   * undefined subject or a sample text) to find attributes without a voter.
   */
  supports(attribute: string, subject?: unknown): boolean
  /**
   * Votes on an attribute that `supports` accepted. Return ABSTAIN if unable to decide. A throw, a rejection, a late
   * or an invalid vote refuses the decision with reason `error`.
   *
   * @param subject the decoded route parameter that the guard names, or the argument of `decide`
   */
  vote(token: AccessToken, attribute: string, subject?: unknown): VoteResult | Promise<VoteResult>
  /**
   * Explains a vote that has no reason: what was missing, or what was enough. Called for explanations and recorded
   * refusals, never for a decision.
   */
  explain?(token: AccessToken, attribute: string, vote: Vote, subject?: unknown): string
}

/** The spec's name of the same contract. */
export type IAccessVoter = AccessVoter

/** A voter with its name in logs. */
export interface NamedVoter {
  readonly name: string
  readonly voter: AccessVoter
}

/** @throws InvalidVote for a value that is not a vote, which refuses the decision */
export function readVote(given: unknown): ReasonedVote {
  const reasoned = typeof given === 'object' && given !== null
  const vote: unknown = reasoned ? (given as { vote?: unknown }).vote : given
  if (vote !== Vote.GRANT && vote !== Vote.DENY && vote !== Vote.ABSTAIN) {
    throw new InvalidVote('the voter returned neither GRANT, DENY nor ABSTAIN')
  }
  const reason: unknown = reasoned ? (given as { reason?: unknown }).reason : undefined
  return typeof reason === 'string' ? { vote, reason } : { vote }
}
