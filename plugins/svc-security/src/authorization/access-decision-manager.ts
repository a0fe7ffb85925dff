/**
 * The deliberation on one attribute (spec, "Authorization decision"): voters are
 * asked in order; one DENY or one failure ends it; otherwise one GRANT grants;
 * silence refuses. Stays synchronous until a voter answers with a promise.
 */
import { types } from 'node:util'
import type { AccessToken, Clock } from 'svc-kernel'
import { InvalidVote } from '../errors.ts'
import { isThenable, withDeadline } from '../promises/maybe-promise.ts'
import { readBallot } from './read-ballot.ts'
import { RecursionDepth } from './recursion-depth.ts'
import { ALL_ABSTAINED, failed, GRANTED, NO_VOTER, type RecordedVote, type Verdict, vetoed } from './verdict.ts'
import { type ReasonedVote, Vote } from './vote.ts'
import type { SeatedVoter } from './voter.ts'

interface Hearing {
  readonly token: AccessToken
  readonly attribute: string
  readonly subject: unknown
  readonly level: number
  readonly votes: RecordedVote[] | null
  competent: boolean
  granted: boolean
}

export class Panel {
  readonly #voters: readonly SeatedVoter[]
  readonly #timeoutMs: number
  readonly #clock: Clock
  readonly #depth = new RecursionDepth()
  readonly #answersLater: boolean[]

  constructor(voters: readonly SeatedVoter[], timeoutMs: number, clock: Clock) {
    this.#voters = voters
    this.#timeoutMs = timeoutMs
    this.#clock = clock
    this.#answersLater = voters.map(({ voter }) => types.isAsyncFunction(voter.vote))
  }

  get voters(): readonly SeatedVoter[] {
    return this.#voters
  }

  /** @param votes filled with every vote cast, when given */
  deliberate(
    token: AccessToken,
    attribute: string,
    subject: unknown,
    votes: RecordedVote[] | null = null
  ): Verdict | Promise<Verdict> {
    const level = this.#depth.next()
    if (level === null) return failed(null, new InvalidVote('voters ask each other without end'))
    return this.#hear({ token, attribute, subject, level, votes, competent: false, granted: false }, 0)
  }

  #hear(hearing: Hearing, from: number): Verdict | Promise<Verdict> {
    const outer = this.#depth.enter(hearing.level)
    try {
      for (let seat = from; seat < this.#voters.length; seat += 1) {
        const outcome = this.#ask(hearing, seat)
        if (outcome !== null) return outcome
      }
    } finally {
      this.#depth.leave(outer)
    }
    if (hearing.granted) return GRANTED
    return hearing.competent ? ALL_ABSTAINED : NO_VOTER
  }

  /** Asks one voter. `null`: go on with the next. */
  #ask(hearing: Hearing, seat: number): Verdict | Promise<Verdict> | null {
    const { name, voter } = this.#voters[seat] as SeatedVoter
    try {
      const competent: unknown = voter.supports(hearing.attribute, hearing.subject)
      if (isThenable(competent)) throw new InvalidVote('supports() must answer at once, not with a promise')
      if (!competent) return null
      hearing.competent = true
      const answer: unknown = this.#answersLater[seat]
        ? this.#depth.carry(hearing.level, () => voter.vote(hearing.token, hearing.attribute, hearing.subject))
        : voter.vote(hearing.token, hearing.attribute, hearing.subject)
      if (answer === Vote.GRANT && hearing.votes === null) {
        hearing.granted = true
        return null
      }
      if (!isThenable(answer)) return this.#count(hearing, name, readBallot(answer))
      this.#answersLater[seat] = true
      return this.#await(hearing, seat, answer)
    } catch (error) {
      return this.#fail(hearing, name, error)
    }
  }

  async #await(hearing: Hearing, seat: number, answer: PromiseLike<unknown>): Promise<Verdict> {
    const { name } = this.#voters[seat] as SeatedVoter
    let outcome: Verdict | null
    try {
      outcome = this.#count(hearing, name, readBallot(await withDeadline(answer, this.#timeoutMs, this.#clock)))
    } catch (error) {
      outcome = this.#fail(hearing, name, error)
    }
    return outcome ?? this.#hear(hearing, seat + 1)
  }

  #count(hearing: Hearing, voter: string, { vote, reason }: ReasonedVote): Verdict | null {
    hearing.votes?.push({ voter, vote, ...(reason === undefined ? {} : { reason }) })
    if (vote === Vote.GRANT) hearing.granted = true
    return vote === Vote.DENY ? vetoed(voter, reason ?? null) : null
  }

  #fail(hearing: Hearing, voter: string, error: unknown): Verdict {
    hearing.votes?.push({ voter, vote: 'ERROR' })
    return failed(voter, error)
  }
}
