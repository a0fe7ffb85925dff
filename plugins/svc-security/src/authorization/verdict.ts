/** What the jury decided on one attribute, and why it refused. */
import type { Vote } from './voter.ts'

/**
 * `veto`: a voter denied. `error`: a voter failed, or there was nothing to ask them.
 * `abstain`: all voters that support the attribute abstained. `no-voter`: no voter supports the attribute.
 * `no-identity`: there was no token to decide on.
 */
export type DenialReason = 'veto' | 'error' | 'abstain' | 'no-voter' | 'no-identity'

export interface Verdict {
  readonly granted: boolean
  /** `null` exactly when granted. */
  readonly reason: DenialReason | null
  /** The voter behind a veto or an error. */
  readonly voter: string | null
  /** The reason that voter gave. */
  readonly detail: string | null
  /** What that voter threw. */
  readonly error: unknown
}

/** One line of an explanation; `ERROR`: the voter failed. */
export interface RecordedVote {
  readonly voter: string
  readonly vote: Vote | 'ERROR'
  readonly reason?: string
}

/** A verdict with every vote cast, in order. */
export interface Explanation {
  readonly granted: boolean
  readonly reason: DenialReason | null
  readonly votes: readonly RecordedVote[]
}

function verdict(reason: DenialReason | null, more: Partial<Verdict> = {}): Verdict {
  return Object.freeze({ granted: reason === null, reason, voter: null, detail: null, error: null, ...more })
}

export const GRANTED = verdict(null)
export const ALL_ABSTAINED = verdict('abstain')
export const NO_VOTER = verdict('no-voter')
export const NO_IDENTITY = verdict('no-identity')

export function vetoed(voter: string, detail: string | null): Verdict {
  return verdict('veto', { voter, detail })
}

export function failed(voter: string | null, error: unknown): Verdict {
  return verdict('error', { voter, error })
}

const STRENGTH: Readonly<Record<DenialReason, number>> = {
  veto: 4,
  error: 3,
  abstain: 2,
  'no-voter': 1,
  'no-identity': 5
}

/** Which of two refusals is reported for a clause: the one that explains most. */
export function isStronger(a: Verdict, b: Verdict): boolean {
  return a.reason !== null && (b.reason === null || STRENGTH[a.reason] > STRENGTH[b.reason])
}
