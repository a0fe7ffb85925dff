/**
 * The decision on one attribute (spec, "Authorization decision"): voters are asked in order; one DENY or one failure
 * ends it; otherwise one GRANT grants; silence refuses. Stays synchronous until a voter answers with a promise. The
 * verdict says what was decided, and why it was refused.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { types } from 'node:util'
import { type AccessToken, type Clock, isThenable, type MaybePromise } from 'svc-kernel'
import { InvalidVote } from '../errors.ts'
import { withDeadline } from '../promises/deadline.ts'
import { type NamedVoter, type ReasonedVote, readVote, Vote } from './voter.ts'

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

/** How deep decisions may nest: a voter may itself call the jury. */
const MAX_DEPTH = 8

/** One decision while its voters are asked. */
interface DecisionContext {
  readonly token: AccessToken
  readonly attribute: string
  readonly subject: unknown
  /** 1 for a decision that no voter asked for. */
  readonly depth: number
  readonly votes: RecordedVote[] | null
  /** True once a voter supports the attribute. */
  supported: boolean
  granted: boolean
}

export class AccessDecisionManager {
  readonly voters: readonly NamedVoter[]
  readonly #timeoutMs: number
  readonly #clock: Clock
  readonly #depth = new DecisionDepth()
  readonly #answersLater: boolean[]

  /** @param timeoutMs how long a promise of a vote may take */
  constructor(voters: readonly NamedVoter[], timeoutMs: number, clock: Clock) {
    this.voters = voters
    this.#timeoutMs = timeoutMs
    this.#clock = clock
    this.#answersLater = voters.map(({ voter }) => types.isAsyncFunction(voter.vote))
  }

  /** @param votes filled with every vote cast, when given */
  decide(
    token: AccessToken,
    attribute: string,
    subject: unknown,
    votes: RecordedVote[] | null = null
  ): MaybePromise<Verdict> {
    const depth = this.#depth.next()
    if (depth === null) return failed(null, new InvalidVote('voters call each other in an endless loop'))
    return this.#askFrom(0, { token, attribute, subject, depth, votes, supported: false, granted: false })
  }

  /** The votes of a decision, with a sentence for each that came without a reason and whose voter has one. */
  reasoned(votes: readonly RecordedVote[], token: AccessToken, attribute: string, subject: unknown): RecordedVote[] {
    return votes.map((cast) => {
      if (cast.reason !== undefined || cast.vote === 'ERROR') return cast
      const voter = this.voters.find(({ name }) => name === cast.voter)?.voter
      try {
        const reason: unknown = voter?.explain?.(token, attribute, cast.vote, subject)
        return typeof reason === 'string' ? { ...cast, reason } : cast
      } catch {
        // What a voter cannot explain was decided all the same.
        return cast
      }
    })
  }

  #askFrom(first: number, context: DecisionContext): MaybePromise<Verdict> {
    const outer = this.#depth.enter(context.depth)
    try {
      for (let index = first; index < this.voters.length; index += 1) {
        const outcome = this.#ask(index, context)
        if (outcome !== null) return outcome
      }
    } finally {
      this.#depth.leave(outer)
    }
    if (context.granted) return GRANTED
    return context.supported ? ALL_ABSTAINED : NO_VOTER
  }

  /** Asks one voter. `null`: go on with the next. */
  #ask(index: number, context: DecisionContext): MaybePromise<Verdict> | null {
    const { name, voter } = this.voters[index] as NamedVoter
    try {
      const supports: unknown = voter.supports(context.attribute, context.subject)
      if (isThenable(supports)) throw new InvalidVote('supports() must return a value, not a promise')
      if (!supports) return null
      context.supported = true
      const answer: unknown = this.#answersLater[index]
        ? this.#depth.carry(context.depth, () => voter.vote(context.token, context.attribute, context.subject))
        : voter.vote(context.token, context.attribute, context.subject)
      if (answer === Vote.GRANT && context.votes === null) {
        context.granted = true
        return null
      }
      if (!isThenable(answer)) return this.#count(context, name, readVote(answer))
      this.#answersLater[index] = true
      return this.#await(index, context, answer)
    } catch (error) {
      return this.#fail(context, name, error)
    }
  }

  async #await(index: number, context: DecisionContext, answer: PromiseLike<unknown>): Promise<Verdict> {
    const { name } = this.voters[index] as NamedVoter
    let outcome: Verdict | null
    try {
      outcome = this.#count(context, name, readVote(await withDeadline(answer, this.#timeoutMs, this.#clock)))
    } catch (error) {
      outcome = this.#fail(context, name, error)
    }
    return outcome ?? this.#askFrom(index + 1, context)
  }

  #count(context: DecisionContext, voter: string, { vote, reason }: ReasonedVote): Verdict | null {
    context.votes?.push({ voter, vote, ...(reason === undefined ? {} : { reason }) })
    if (vote === Vote.GRANT) context.granted = true
    return vote === Vote.DENY ? vetoed(voter, reason ?? null) : null
  }

  #fail(context: DecisionContext, voter: string, error: unknown): Verdict {
    context.votes?.push({ voter, vote: 'ERROR' })
    return failed(voter, error)
  }
}

/**
 * Counted on the stack while voters answer at once; carried by AsyncLocalStorage below
 * voters known to answer later, since only there the stack is gone.
 */
class DecisionDepth {
  readonly #carried = new AsyncLocalStorage<number>()
  #carrying = false
  #onStack = 0

  /** The depth of a decision that starts now, or `null` when it would be too deep. */
  next(): number | null {
    const carried = this.#carrying ? (this.#carried.getStore() ?? 0) : 0
    const depth = Math.max(carried, this.#onStack) + 1
    return depth > MAX_DEPTH ? null : depth
  }

  /** Enters the synchronous part of a decision. @returns what `leave` takes, in a `finally` */
  enter(depth: number): number {
    const outer = this.#onStack
    this.#onStack = depth
    return outer
  }

  leave(outer: number): void {
    this.#onStack = outer
  }

  /** Runs a voter that answers later, so that what it asks after a pause still knows its depth. */
  carry<T>(depth: number, work: () => T): T {
    this.#carrying = true
    return this.#carried.run(depth, work)
  }
}
