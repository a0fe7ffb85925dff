/**
 * Decides one attribute (spec, "Authorization decision"). Voters vote in order; one DENY or one failure ends the
 * decision; otherwise one GRANT grants; no vote refuses. Synchronous until a voter returns a promise. The verdict says
 * what was decided, and why it was refused.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { types } from 'node:util'
import type { AccessToken, Clock, MaybePromise } from 'svc-kernel'
import { isThenable } from 'svc-kernel/plugin'
import { InvalidVote } from '../errors.ts'
import { withDeadline } from '../promises/deadline.ts'
import type { RecordedVote, RecordedVotes } from './recorded-votes.ts'
import { type NamedVoter, type ReasonedVote, readVote, Vote } from './voter.ts'

/**
 * `veto`: a voter denied. `error`: a voter failed, or the question was invalid. `abstain`: all supporting voters
 * abstained. `no-voter`: no voter supports the attribute. `no-identity`: there was no token.
 */
export type DenialReason = 'veto' | 'error' | 'abstain' | 'no-voter' | 'no-identity'

/** The answer to one attribute: granted, or the reason of the denial. */
export interface Verdict {
  readonly granted: boolean
  /** `null` if, and only if, granted. */
  readonly reason: DenialReason | null
  /** The voter behind a veto or an error. */
  readonly voter: string | null
  /** The reason of that voter. */
  readonly detail: string | null
  /** The error of that voter. */
  readonly error: unknown
}

/** A verdict with every vote, in order. */
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

/** Which of two refusals to report for a clause: the more informative one. */
export function isStronger(a: Verdict, b: Verdict): boolean {
  return a.reason !== null && (b.reason === null || STRENGTH[a.reason] > STRENGTH[b.reason])
}

/** How deep decisions may nest, because a voter may call the jury. */
const MAX_DEPTH = 8

/** One decision in progress. */
interface DecisionContext {
  readonly token: AccessToken
  readonly attribute: string
  readonly subject: unknown
  /** 1 for a decision outside of any voter. */
  readonly depth: number
  readonly votes: RecordedVotes | null
  /** True if a voter supports the attribute. */
  supported: boolean
  granted: boolean
}

export class AccessDecisionManager {
  readonly voters: readonly NamedVoter[]
  readonly #timeoutMs: number
  readonly #clock: Clock
  readonly #depth = new DecisionDepth()
  readonly #answersLater: boolean[]

  /** @param timeoutMs longest time of a vote */
  constructor(voters: readonly NamedVoter[], timeoutMs: number, clock: Clock) {
    this.voters = voters
    this.#timeoutMs = timeoutMs
    this.#clock = clock
    this.#answersLater = voters.map(({ voter }) => types.isAsyncFunction(voter.vote))
  }

  /** @param votes collects every vote, if given */
  decide(
    token: AccessToken,
    attribute: string,
    subject: unknown,
    votes: RecordedVotes | null = null
  ): MaybePromise<Verdict> {
    const depth = this.#depth.next()
    if (depth === null) return failed(null, new InvalidVote('voters call each other in an endless loop'))
    return this.#askFrom(0, { token, attribute, subject, depth, votes, supported: false, granted: false })
  }

  /** The votes of a decision, with an explanation for each vote without a reason, if its voter has one. */
  reasoned(votes: readonly RecordedVote[], token: AccessToken, attribute: string, subject: unknown): RecordedVote[] {
    return votes.map((cast) => {
      if (cast.reason !== undefined || cast.vote === 'ERROR') return cast
      const voter = this.voters.find(({ name }) => name === cast.voter)?.voter
      try {
        const reason: unknown = voter?.explain?.(token, attribute, cast.vote, subject)
        return typeof reason === 'string' ? { ...cast, reason } : cast
      } catch {
        // A vote stays valid if its voter cannot explain it.
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

  /** Calls one voter. `null`: continue with the next. */
  #ask(index: number, context: DecisionContext): MaybePromise<Verdict> | null {
    const { name, voter } = this.voters[index] as NamedVoter
    context.votes?.begin()
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
    context.votes?.add({ voter, vote, ...(reason === undefined ? {} : { reason }) })
    if (vote === Vote.GRANT) context.granted = true
    return vote === Vote.DENY ? vetoed(voter, reason ?? null) : null
  }

  #fail(context: DecisionContext, voter: string, error: unknown): Verdict {
    context.votes?.add({ voter, vote: 'ERROR' })
    return failed(voter, error)
  }
}

/**
 * Counts nested decisions: on the stack while voters are synchronous, in AsyncLocalStorage below asynchronous voters,
 * where the stack is gone.
 */
class DecisionDepth {
  readonly #carried = new AsyncLocalStorage<number>()
  #carrying = false
  #onStack = 0

  /** The depth of a new decision, or `null` if it would be too deep. */
  next(): number | null {
    const carried = this.#carrying ? (this.#carried.getStore() ?? 0) : 0
    const depth = Math.max(carried, this.#onStack) + 1
    return depth > MAX_DEPTH ? null : depth
  }

  /** Enters the synchronous part of a decision. @returns the argument of `leave`, to call in a `finally` */
  enter(depth: number): number {
    const outer = this.#onStack
    this.#onStack = depth
    return outer
  }

  leave(outer: number): void {
    this.#onStack = outer
  }

  /** Runs an asynchronous voter, so that its later calls still know their depth. */
  carry<T>(depth: number, work: () => T): T {
    this.#carrying = true
    return this.#carried.run(depth, work)
  }
}
