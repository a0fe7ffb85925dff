/**
 * The access gate: the one place that decides whether a guarded route runs.
 * It is always installed; svc-security only hands it an engine. So a guarded
 * route in an application without an engine is closed, never open.
 */
import type { FastifyRequest } from 'fastify'
import { AccessDenied } from '../errors.ts'
import { logFailure } from '../http-errors/outage-log.ts'
import type { AccessToken } from '../identity/identity.ts'
import type { Requirement } from './requirement.ts'

/** Decides a requirement for a token. Answers synchronously where it can. */
export interface AccessEngine {
  allows(token: AccessToken, requirement: Requirement, request: FastifyRequest): boolean | Promise<boolean>
  /** Called on a refusal that needed no decision, as no caller is identified. For the journal; it changes nothing. */
  unidentified?(requirement: Requirement, request: FastifyRequest): void
}

/** `fastify.accessGate`. One per application; `check` is for transports, `use` for the plugin that decides. */
export class AccessGate {
  #engine: AccessEngine | null = null

  /** True once an engine decides; without one every guarded route answers 403. */
  get ready(): boolean {
    return this.#engine !== null
  }

  /** Hands the decision to an engine. Only the last one given decides. */
  use(engine: AccessEngine): void {
    this.#engine = engine
  }

  /**
   * Passes only when every clause of the requirement is granted (spec, "Authorization", 8).
   *
   * @throws AccessDenied (403) without an engine, without an identity, on an empty
   * requirement, on a refusal, and when the engine itself fails. Rejects where the decision is asynchronous.
   */
  check(token: AccessToken | null, requirement: Requirement, request: FastifyRequest): void | Promise<void> {
    const verdict = this.judge(token, requirement, request)
    if (verdict === true) return
    if (verdict === false) throw new AccessDenied()
    return verdict.then((granted) => {
      if (!granted) throw new AccessDenied()
    })
  }

  /**
   * The same decision as an answer: a denial is an expected one, and a throw was
   * measured at a tenth of a request. Never throws, never rejects; anything but a clear yes is `false`.
   */
  judge(token: AccessToken | null, requirement: Requirement, request: FastifyRequest): boolean | Promise<boolean> {
    if (this.#engine === null || requirement.length === 0) return false
    try {
      if (token === null || token === undefined) {
        this.#engine.unidentified?.(requirement, request)
        return false
      }
      const verdict: unknown = this.#engine.allows(token, requirement, request)
      if (typeof verdict === 'boolean') return verdict
      return Promise.resolve(verdict).then(
        (settled) => settled === true,
        (error) => refuse(error, request)
      )
    } catch (error) {
      return refuse(error, request)
    }
  }
}

function refuse(error: unknown, request: FastifyRequest): false {
  logFailure(request.log, error, 'the access engine failed; access denied')
  return false
}
