/** `fastify.limits`: the limits of an application by name, and the way for it to spend them itself. */
import { hash } from 'node:crypto'
import { BootError, LimitUnavailable } from 'svc-kernel'
import { InvalidCost, InvalidLimitKey, UnknownLimit } from '../errors.ts'
import { remaining, seconds, waitFor } from '../limit/gcra.ts'
import { isProblem, type Limit, type LimitTerms, readLimit } from '../limit/limit.ts'
import type { Limiter } from './limiter.ts'

/** What came of a call to `limits.take`. */
export interface LimitAnswer {
  /** `false`: the limit is spent, and nothing of this call was counted. */
  readonly taken: boolean
  /** How many more may come now. */
  readonly remaining: number
  /** Seconds until a call of this cost can be taken, rounded up; 0 if it was. */
  readonly retryAfterS: number
  /** Seconds until the whole burst can be spent, rounded up. */
  readonly resetS: number
}

/** `fastify.limits`: spends limits for what is no request, and lists those that there are. */
export class Limits {
  readonly #limiter: Limiter
  readonly #byName = new Map<string, Limit>()

  constructor(limiter: Limiter) {
    this.#limiter = limiter
  }

  /** Every limit by its name: of options and, when the application is ready, of routes. */
  get all(): ReadonlyMap<string, Limit> {
    return this.#byName
  }

  /** @returns the limit of this name that is there already, or the given one, added */
  add(limit: Limit): Limit {
    const known = this.#byName.get(limit.name) ?? limit
    this.#byName.set(limit.name, known)
    return known
  }

  /**
   * Adds a limit for `take`, unless the options have one of this name; called while plugins register.
   *
   * @param at the option that it comes from @throws BootError (SVC_LIMIT_RATE, SVC_LIMIT_OPTION)
   */
  define(name: string, terms: LimitTerms, at: string): void {
    const limit = readLimit(name, terms, { label: at, at }, 'local')
    if (isProblem(limit)) throw new BootError([limit])
    this.add(limit)
  }

  /**
   * Spends a limit for something that is no request, such as a mail that is sent.
   *
   * @param name of the option `limits`, or of a limit of a route @param key whose budget; it may be secret
   * @param cost how many units, up to the burst of the limit. Default 1
   * @throws UnknownLimit, InvalidLimitKey, InvalidCost; LimitUnavailable (503) with `onOutage: 'refuse'`
   */
  async take(name: string, key: string, cost = 1): Promise<LimitAnswer> {
    const limit = this.#byName.get(name)
    if (limit === undefined) throw new UnknownLimit(name, [...this.#byName.keys()].join(', ') || 'none')
    if (!Number.isInteger(cost) || cost < 1 || cost > limit.burst) {
      throw new InvalidCost(name, String(cost), String(limit.burst))
    }
    const caller = secretCaller(name, key)
    const { verdict, states } = await this.#limiter.take([{ limit, caller, cost }])
    const [state] = states
    if (verdict === 'unavailable' || state === undefined) throw new LimitUnavailable()
    return {
      taken: state.taken,
      remaining: remaining(state.aheadUs, limit),
      retryAfterS: state.taken ? 0 : seconds(waitFor(state.aheadUs, limit, cost)),
      resetS: seconds(state.aheadUs)
    }
  }
}

/** A key that may be secret, as stores and administrators see it. @throws InvalidLimitKey */
export function secretCaller(name: string, key: unknown): string {
  if (typeof key !== 'string') throw new InvalidLimitKey(name, key === null ? 'null' : typeof key)
  return `hash ${hash('sha256', key, 'base64url')}`
}
