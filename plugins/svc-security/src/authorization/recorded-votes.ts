/** The votes of one decision as explanations and observers see them: what each voter said, and how long it took. */
import type { TimedVote } from 'svc-kernel'
import type { Vote } from './voter.ts'

/** One line of an explanation; `ERROR`: the voter failed. */
export interface RecordedVote {
  readonly voter: string
  readonly vote: Vote | 'ERROR'
  readonly reason?: string
}

export class RecordedVotes {
  /** In order. */
  readonly cast: RecordedVote[] = []
  readonly #times: Pick<TimedVote, 'atMs' | 'durationMs'>[] = []
  readonly #began = performance.now()
  #asked = this.#began

  get elapsedMs(): number {
    return performance.now() - this.#began
  }

  /** The next voter is asked. */
  begin(): void {
    this.#asked = performance.now()
  }

  add(vote: RecordedVote): void {
    this.cast.push(vote)
    this.#times.push({ atMs: this.#asked - this.#began, durationMs: performance.now() - this.#asked })
  }

  /** @param shown the same votes, in order, maybe with explanations */
  timed(shown: readonly RecordedVote[]): TimedVote[] {
    return shown.map((vote, at) => ({ ...vote, ...(this.#times[at] ?? { atMs: 0, durationMs: 0 }) }))
  }
}
