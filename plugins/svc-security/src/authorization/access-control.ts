/**
 * The engine behind the kernel's access gate. Every clause of a requirement must pass, and one granted attribute
 * passes a clause. The jury decides each attribute on its own, so a DENY does not affect the other attributes of an
 * OR. A denial is reported once.
 */
import type { FastifyRequest } from 'fastify'
import {
  type AccessToken,
  type Clock,
  type MaybePromise,
  PersonRequired,
  type Requirement,
  requestChannels
} from 'svc-kernel'
import {
  type AccessEngine,
  type AttributeCheck,
  adoptAccessToken,
  andThen,
  type Clause,
  describeRequirement,
  findProof,
  isThenable,
  openDemands,
  type ProofDemand,
  proofDemandOf,
  proofRefusal
} from 'svc-kernel/plugin'
import { InvalidVote } from '../errors.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { failed, isStronger, NO_VOTER, type Verdict } from './access-decision-manager.ts'
import type { Jury } from './jury.ts'
import { RecordedVotes } from './recorded-votes.ts'

interface Refusal {
  readonly verdict: Verdict
  readonly attribute: string
}

/** The first refusal that the caller may end by proving more, and what to prove for all of them. */
interface Due {
  readonly refusal: Refusal
  readonly demands: readonly ProofDemand[]
}

const { decision: decisions } = requestChannels

const NOT_ASKED: Refusal = { verdict: NO_VOTER, attribute: '' }

export class AccessControl implements AccessEngine {
  readonly #jury: Jury
  readonly #journal: SecurityJournal
  readonly #clock: Pick<Clock, 'now'>
  readonly #scheme: string

  /** @param scheme of the challenge to bearer tokens */
  constructor(jury: Jury, journal: SecurityJournal, clock: Pick<Clock, 'now'>, scheme: string) {
    this.#jury = jury
    this.#journal = journal
    this.#clock = clock
    this.#scheme = scheme
  }

  /** An error where the rights of the caller suffice and the proof does not. */
  allows(token: AccessToken, requirement: Requirement, request: FastifyRequest): MaybePromise<boolean | Error> {
    return this.#clauses(token, requirement, request, 0, null)
  }

  /** Reports the refusal of a guarded route outside of every zone, for which no voter was called. */
  unidentified(requirement: Requirement, request: FastifyRequest): void {
    const attribute = describeRequirement(requirement)
    this.#journal.accessDenied({ actor: null, attribute, reason: 'no-identity' }, request)
    if (decisions.hasSubscribers) {
      decisions.publish({
        request,
        attribute,
        subject: null,
        granted: false,
        reason: 'no-identity',
        votes: [],
        durationMs: 0
      })
    }
  }

  #clauses(
    token: AccessToken,
    requirement: Requirement,
    request: FastifyRequest,
    from: number,
    before: Due | null
  ): MaybePromise<boolean | Error> {
    let due = before
    for (let index = from; index < requirement.length; index += 1) {
      const clause = requirement[index] as Clause
      const refusal = this.#clause(token, clause, request, 0, null)
      if (isThenable(refusal)) {
        return refusal.then((settled): MaybePromise<boolean | Error> => {
          if (settled === null) return this.#clauses(token, requirement, request, index + 1, due)
          const more = this.#due(token, clause, settled, due)
          if (more === null) return this.#deny(token, clause, settled, request)
          return this.#clauses(token, requirement, request, index + 1, more)
        })
      }
      if (refusal === null) continue
      due = this.#due(token, clause, refusal, due)
      if (due === null) return this.#deny(token, clause, refusal, request)
    }
    if (due !== null) return this.#stepUp(token, due, request)
    return requirement.length > 0
  }

  /** Whoever lacks a right is not asked to prove more: the other clauses are decided first. @returns `null` for a denial */
  #due(token: AccessToken, clause: Clause, refusal: Refusal, before: Due | null): Due | null {
    const open = openDemands(token, clause, this.#clock.now())
    if (open.length === 0) return null
    return { refusal: before?.refusal ?? refusal, demands: [...(before?.demands ?? []), ...open] }
  }

  #stepUp(token: AccessToken, { refusal, demands }: Due, request: FastifyRequest): Error {
    this.#record(token, refusal, request)
    return proofRefusal(token, demands, this.#scheme)
  }

  /** `null` if an attribute of the clause is granted. */
  #clause(
    token: AccessToken,
    clause: Clause,
    request: FastifyRequest,
    from: number,
    strongest: Refusal | null
  ): MaybePromise<Refusal | null> {
    let refusal = strongest
    for (let index = from; index < clause.length; index += 1) {
      const check = clause[index] as AttributeCheck
      const verdict = decisions.hasSubscribers
        ? this.#watched(token, check, request)
        : this.#decide(token, check, request, null)
      if (isThenable(verdict)) {
        return verdict.then((settled) =>
          settled.granted ? null : this.#clause(token, clause, request, index + 1, stronger(refusal, settled, check))
        )
      }
      if (verdict.granted) return null
      refusal = stronger(refusal, verdict, check)
    }
    return refusal ?? NOT_ASKED
  }

  /** Collects every vote, for explanations. */
  #watched(token: AccessToken, check: AttributeCheck, request: FastifyRequest): MaybePromise<Verdict> {
    const votes = new RecordedVotes()
    return andThen(this.#decide(token, check, request, votes), (verdict) => {
      const durationMs = votes.elapsedMs
      const { granted, reason } = verdict
      const { attribute, subject = null } = check
      const shown = granted ? votes.cast : this.#jury.reasoned(votes.cast, token, attribute, subjectOf(check, request))
      decisions.publish({ request, attribute, subject, granted, reason, votes: votes.timed(shown), durationMs })
      return verdict
    })
  }

  /** The subject is the decoded route parameter; a guard on a parameter that the route does not have is an error. */
  #decide(
    token: AccessToken,
    { attribute, subject }: AttributeCheck,
    request: FastifyRequest,
    votes: RecordedVotes | null
  ): MaybePromise<Verdict> {
    if (subject === undefined) return this.#jury.deliberate(token, attribute, undefined, votes)
    if (!Object.hasOwn(paramsOf(request), subject)) {
      return failed(null, new InvalidVote(`the subject of the guard, the parameter "${subject}", is not in the route`))
    }
    return this.#jury.deliberate(token, attribute, paramsOf(request)[subject], votes)
  }

  /** A machine that lacks nothing but a person is told so. */
  #deny(token: AccessToken, clause: Clause, refusal: Refusal, request: FastifyRequest): false | Error {
    this.#record(token, refusal, request)
    const now = this.#clock.now()
    const asksPerson = clause.some(({ attribute }) => {
      const demand = proofDemandOf(attribute)
      return demand !== null && findProof(token, demand, now) === 'machine'
    })
    return asksPerson && new PersonRequired()
  }

  #record(token: AccessToken, { verdict, attribute }: Refusal, request: FastifyRequest): void {
    const { reason, voter, detail, error } = verdict
    const actor = adoptAccessToken(token)?.getUserIdentifier() ?? null
    this.#journal.accessDenied({ actor, attribute, reason: reason ?? 'error', voter, detail, error }, request)
  }
}

function paramsOf({ params }: FastifyRequest): Readonly<Record<string, unknown>> {
  return (params ?? {}) as Readonly<Record<string, unknown>>
}

function subjectOf({ subject }: AttributeCheck, request: FastifyRequest): unknown {
  return subject === undefined ? undefined : paramsOf(request)[subject]
}

function stronger(known: Refusal | null, verdict: Verdict, { attribute }: AttributeCheck): Refusal {
  return known === null || isStronger(verdict, known.verdict) ? { verdict, attribute } : known
}
