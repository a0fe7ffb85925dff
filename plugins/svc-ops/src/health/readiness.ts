/**
 * Whether the application can do its work: every check of `fastify.healthChecks`, asked together, each within a bound.
 * A crowd that asks at once costs one look. A check that does not answer within the bound has failed, whatever it says
 * later, and is asked again: at first after the bound, then after twice as long each time, since each question may hold
 * a connection.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock, HealthCheck } from 'svc-kernel'
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
}

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
  readonly #failing = new Set<string>()
  #asked: { readonly at: number; readonly outcomes: Promise<readonly CheckOutcome[]> } | null = null

  constructor(parts: ReadinessParts) {
    this.#parts = parts
  }

  /**
   * True when every check passes, and the application is not about to stop. Never rejects; which one failed, and why, goes
   * to the log only.
   */
  async isReady(): Promise<boolean> {
    if (this.#parts.checks.leaving) return false
    return (await this.outcomes()).every(({ healthy }) => healthy)
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
    return Promise.all(checks.map(async ([name, check]) => ({ name, healthy: await this.#passes(name, check) })))
  }

  async #passes(name: string, check: HealthCheck): Promise<boolean> {
    const { clock, config, log } = this.#parts
    const late = () => new CheckTimeout(String(config.timeoutMs))
    try {
      await withTimeout(config.timeoutMs, clock, () => this.#run(name, check), late)
    } catch (error) {
      if (!this.#failing.has(name)) this.#logFailure(name, error)
      this.#failing.add(name)
      return false
    }
    if (this.#failing.delete(name)) log.info({ check: name }, 'a health check passes again')
    return true
  }

  /** Once per outage; a warning where it was logged already. */
  #logFailure(name: string, error: unknown): void {
    const fields = { code: 'SVC_OPS_UNHEALTHY', check: name, err: error }
    this.#parts.log[isAnnounced(error) ? 'warn' : 'error'](fields, 'a health check failed')
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
