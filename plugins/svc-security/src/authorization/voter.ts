/** The contract of a voter: one opinion on one attribute (spec, "Authorization", 6). */
import type { AccessToken } from 'svc-kernel'
import type { ReasonedVote, Vote } from './vote.ts'

/** What `vote` may answer: at once, or as a promise settled within `jury.voterTimeoutMs`. */
export type Ballot = Vote | ReasonedVote

export interface AccessVoter {
  /** Shown in logs and explanations; a registered voter is shown under its registered name. */
  readonly name?: string
  /**
   * Is this attribute mine? Synchronous and cheap: asked for every decision, also at boot
   * (with the subject undefined or a sample text) to find attributes nobody answers for.
   */
  supports(attribute: string, subject?: unknown): boolean
  /**
   * A vote on what `supports` claimed. Answer ABSTAIN when unable to decide. A throw, a
   * rejection, a late or a malformed answer refuses the decision with reason `error`.
   *
   * @param subject the decoded value of the route parameter the guard names, or what `decide` was given
   */
  vote(token: AccessToken, attribute: string, subject?: unknown): Ballot | Promise<Ballot>
}

/** The spec's name of the same contract. */
export type IAccessVoter = AccessVoter

/** A voter under the name it goes by in logs. */
export interface SeatedVoter {
  readonly name: string
  readonly voter: AccessVoter
}
