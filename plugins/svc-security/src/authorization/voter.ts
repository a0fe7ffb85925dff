/** The contract of a voter: one opinion on one attribute (spec, "Authorization", 6), and how its answer is read. */
import type { AccessToken } from 'svc-kernel'
import { InvalidVote } from '../errors.ts'

/** The three votes of the spec ("Authorization decision"). Anything else that a voter answers is a failure. */
export const Vote = Object.freeze({ GRANT: 'GRANT', DENY: 'DENY', ABSTAIN: 'ABSTAIN' } as const)

export type Vote = (typeof Vote)[keyof typeof Vote]

/** In favour; enough unless another voter denies. */
export const GRANT = Vote.GRANT

/** An absolute no: ends the decision. For an explicit prohibition only. */
export const DENY = Vote.DENY

/** No opinion. What a voter answers when it cannot decide. */
export const ABSTAIN = Vote.ABSTAIN

/** A vote with its reason, which appears in log, audit and explanation, never in an answer to the caller. */
export interface ReasonedVote {
  readonly vote: Vote
  readonly reason?: string
}

/** What `vote` may answer: at once, or as a promise settled within `jury.voterTimeoutMs`. */
export type VoteResult = Vote | ReasonedVote

export interface AccessVoter {
  /** Appears in logs and explanations; a registered voter appears under its registered name. */
  readonly name?: string
  /**
   * Is this attribute mine? Synchronous and cheap: asked for every decision, also at boot
   * (with the subject undefined or a sample text) to find attributes without a voter.
   */
  supports(attribute: string, subject?: unknown): boolean
  /**
   * A vote on what `supports` claimed. Answer ABSTAIN when unable to decide. A throw, a
   * rejection, a late or a malformed answer refuses the decision with reason `error`.
   *
   * @param subject the decoded value of the route parameter the guard names, or what `decide` was given
   */
  vote(token: AccessToken, attribute: string, subject?: unknown): VoteResult | Promise<VoteResult>
  /**
   * A sentence about a vote that came without a reason: what was missing, or what sufficed. Asked by explanations and for
   * refusals that are recorded, never for a decision.
   */
  explain?(token: AccessToken, attribute: string, vote: Vote, subject?: unknown): string
}

/** The spec's name of the same contract. */
export type IAccessVoter = AccessVoter

/** A voter under its name in logs. */
export interface NamedVoter {
  readonly name: string
  readonly voter: AccessVoter
}

/** @throws InvalidVote for anything that is no vote, which refuses the decision */
export function readVote(given: unknown): ReasonedVote {
  const reasoned = typeof given === 'object' && given !== null
  const vote: unknown = reasoned ? (given as { vote?: unknown }).vote : given
  if (vote !== Vote.GRANT && vote !== Vote.DENY && vote !== Vote.ABSTAIN) {
    throw new InvalidVote('the voter returned neither GRANT, DENY nor ABSTAIN')
  }
  const reason: unknown = reasoned ? (given as { reason?: unknown }).reason : undefined
  return typeof reason === 'string' ? { vote, reason } : { vote }
}
