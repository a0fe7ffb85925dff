/** The three votes of the spec ("Authorization decision"). Anything else a voter answers is a failure. */

export const Vote = Object.freeze({ GRANT: 'GRANT', DENY: 'DENY', ABSTAIN: 'ABSTAIN' } as const)

export type Vote = (typeof Vote)[keyof typeof Vote]

/** In favour; enough unless another voter denies. */
export const GRANT = Vote.GRANT

/** An absolute no: stops the jury. For an explicit prohibition only. */
export const DENY = Vote.DENY

/** No opinion. What a voter answers when it cannot decide. */
export const ABSTAIN = Vote.ABSTAIN

/** A vote with the reason shown in log, audit and explanation, never to the caller. */
export interface ReasonedVote {
  readonly vote: Vote
  readonly reason?: string
}
