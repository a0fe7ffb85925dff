/**
 * Whether the application can do its work: every check of `fastify.healthChecks`, asked together, each within a bound.
 * A crowd that asks at once costs one look. A check that does not answer within the bound has failed, whatever it says
 * later, and is asked again: at first after the bound, then after twice as long each time, since each question may hold
 * a connection.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, Degraded, type HealthCheck } from 'svc-kernel'
import type { HealthChecks } from 'svc-kernel/plugin'
import { isAnnounced, withTimeout } from 'svc-kernel/plugin'
import { CheckTimeout } from '../errors.ts'
import type { HealthConfig } from '../options.ts'

export interface ReadinessParts {
  readonly checks: HealthChecks
  readonly config: Pick<HealthConfig, 'timeoutMs' | 'cacheMs'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

export interface CheckOutcome {
  readonly name: string
  readonly healthy: boolean
  /** It works, and not as well as it should: requests may come. */
  readonly degraded: boolean
}

/** In one word. */
export type Health = 'ok' | 'degraded' | 'failing'

/** A question to a check that has not been answered. */
interface Question {
  readonly answer: Promise<unknown>
  /** Epoch ms. */
  readonly since: number
  /** How long it stands before the check is asked again. */
  readonly patienceMs: number
}

const LONGEST_PATIENCE_MS = 30_000

export class Readiness {
  readonly #parts: ReadinessParts
  readonly #running = new Map<string, Question>()
  /** By check, what the log has of it. */
  readonly #unwell = new Map<string, Health>()
  #asked: { readonly at: number; readonly outcomes: Promise<readonly CheckOutcome[]> } | null = null

  constructor(parts: ReadinessParts) {
    this.#parts = parts
  }

  /**
   * `failing` where a check fails, or the application is about to stop. Never rejects; which check it is, and why, goes to
   * the log only.
   */
  async health(): Promise<Health> {
    if (this.#parts.checks.leaving) return 'failing'
    const outcomes = await this.outcomes()
    if (!outcomes.every(({ healthy }) => healthy)) return 'failing'
    return outcomes.some(({ degraded }) => degraded) ? 'degraded' : 'ok'
  }

  /** Of each check. Never rejects. */
  outcomes(): Promise<readonly CheckOutcome[]> {
    const { clock, config } = this.#parts
    const now = clock.now()
    if (this.#asked === null || now - this.#asked.at >= config.cacheMs) {
      this.#asked = { at: now, outcomes: this.#ask() }
    }
    return this.#asked.outcomes
  }

  #ask(): Promise<CheckOutcome[]> {
    const checks = [...this.#parts.checks.entries()]
    return Promise.all(
      checks.map(async ([name, check]) => {
        const health = await this.#healthOf(name, check)
        return { name, healthy: health !== 'failing', degraded: health === 'degraded' }
      })
    )
  }

  async #healthOf(name: string, check: HealthCheck): Promise<Health> {
    const { clock, config, log } = this.#parts
    const late = () => new CheckTimeout(String(config.timeoutMs))
    try {
      await withTimeout(config.timeoutMs, clock, () => this.#run(name, check), late)
    } catch (error) {
      const health = error instanceof Degraded ? 'degraded' : 'failing'
      if (this.#unwell.get(name) !== health) this.#log(name, health, error)
      this.#unwell.set(name, health)
      return health
    }
    if (this.#unwell.delete(name)) log.info({ check: name }, 'a health check passes again')
    return 'ok'
  }

  /** Once per outage; a warning where it was logged already. */
  #log(name: string, health: Health, error: unknown): void {
    const { log } = this.#parts
    if (health === 'degraded') {
      log.warn(
        { code: 'SVC_OPS_DEGRADED', check: name, reason: (error as Error).message },
        'a health check is degraded'
      )
      return
    }
    const fields = { code: 'SVC_OPS_UNHEALTHY', check: name, err: error }
    log[isAnnounced(error) ? 'warn' : 'error'](fields, 'a health check failed')
  }

  #run(name: string, check: HealthCheck): Promise<unknown> {
    const now = this.#parts.clock.now()
    const standing = this.#running.get(name)
    if (standing !== undefined && now - standing.since < standing.patienceMs) return standing.answer
    const patienceMs =
      standing === undefined ? this.#parts.config.timeoutMs : Math.min(2 * standing.patienceMs, LONGEST_PATIENCE_MS)
    // A check that throws at once is caught too. One that answers late is asked again, with new patience.
    const answer = Promise.resolve()
      .then(check)
      .finally(() => this.#running.delete(name))
    this.#running.set(name, { answer, since: now, patienceMs })
    return answer
  }
}
