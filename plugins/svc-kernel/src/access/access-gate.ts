/**
 * The access gate decides whether a guarded route runs. The kernel always installs it; svc-security only adds the
 * engine. So a guarded route without an engine is closed, never open.
 */
import type { FastifyRequest } from 'fastify'
import { AccessDenied } from '../errors.ts'
import { logFailure } from '../http-errors/outage-log.ts'
import type { AccessToken } from '../identity/identity.ts'
import { andThen, isThenable, type MaybePromise } from '../promises/maybe-promise.ts'
import type { Requirement } from './requirement.ts'

/** Decides a requirement for a token, synchronously if it can. */
export interface AccessEngine {
  /** An error refuses as `false` does, and is what the caller is answered instead of `AccessDenied`. */
  allows(
    token: AccessToken,
    requirement: Requirement,
    request: FastifyRequest
  ): boolean | Error | Promise<boolean | Error>
  /**
   * Reports a refusal that needed no decision because the caller is unidentified. For the journal; it changes nothing.
   */
  unidentified?(requirement: Requirement, request: FastifyRequest): void
}

/** `fastify.accessGate`, one per application. Transports call `check`; the deciding plugin calls `use`. */
export class AccessGate {
  #engine: AccessEngine | null = null

  /** True if an engine is set; without one, every guarded route answers 403. */
  get ready(): boolean {
    return this.#engine !== null
  }

  /** Sets the engine. The last one decides. */
  use(engine: AccessEngine): void {
    this.#engine = engine
  }

  /**
   * Passes only if every clause of the requirement is granted (spec, "Authorization", 8).
   *
   * @throws AccessDenied (403) without an engine, without an identity, on an empty requirement, on a refusal, and if
   * the engine fails; ProofDue (403), StepUpRequired (401) or PersonRequired (403) where the proof of the caller does not
   * suffice. Rejects with it if the decision is asynchronous.
   */
  check(token: AccessToken | null, requirement: Requirement, request: FastifyRequest): void | Promise<void> {
    const refused = this.refusal(token, requirement, request)
    if (refused === null) return
    if (!isThenable(refused)) throw refused
    return refused.then((settled) => {
      if (settled !== null) throw settled
    })
  }

  /** The same decision as a boolean. Never throws or rejects; everything except a clear yes is `false`. */
  judge(token: AccessToken | null, requirement: Requirement, request: FastifyRequest): boolean | Promise<boolean> {
    return andThen(this.refusal(token, requirement, request), (refused) => refused === null)
  }

  /**
   * The same decision as the error to answer with; `null` grants. A denial is an expected answer, and a throw costs a
   * tenth of a request. Never throws or rejects.
   */
  refusal(token: AccessToken | null, requirement: Requirement, request: FastifyRequest): MaybePromise<Error | null> {
    if (this.#engine === null || requirement.length === 0) return new AccessDenied()
    try {
      if (token === null || token === undefined) {
        this.#engine.unidentified?.(requirement, request)
        return new AccessDenied()
      }
      const verdict: unknown = this.#engine.allows(token, requirement, request)
      if (verdict === true) return null
      if (!isThenable(verdict)) return asRefusal(verdict)
      return Promise.resolve(verdict).then(asRefusal, (error) => refuse(error, request))
    } catch (error) {
      return refuse(error, request)
    }
  }
}

function asRefusal(verdict: unknown): Error | null {
  if (verdict === true) return null
  return verdict instanceof Error ? verdict : new AccessDenied()
}

function refuse(error: unknown, request: FastifyRequest): Error {
  logFailure(request.log, error, 'the access engine failed; access denied')
  return new AccessDenied()
}
