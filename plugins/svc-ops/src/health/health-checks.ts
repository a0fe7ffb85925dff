/**
 * Whether the application can do its work: checks of its own, asked together, each within a
 * bound. An outcome is told again for a while, so that whoever asks often costs nothing.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { CheckTimeout, DuplicateCheck } from '../errors.ts'
import type { HealthConfig } from '../options.ts'

/** Resolves when all is well; whatever it throws is a failure. */
export type HealthCheck = () => unknown

export interface HealthParts {
  readonly config: Pick<HealthConfig, 'timeoutMs' | 'cacheMs'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

export class HealthChecks {
  readonly #parts: HealthParts
  readonly #checks = new Map<string, HealthCheck>()
  #asked: { readonly at: number; readonly outcome: Promise<boolean> } | null = null

  constructor(parts: HealthParts) {
    this.#parts = parts
  }

  /** @throws DuplicateCheck for a name that is taken */
  add(name: string, check: HealthCheck): void {
    if (this.#checks.has(name)) throw new DuplicateCheck(name)
    this.#checks.set(name, check)
  }

  /** True when every check passes. Never rejects; which one failed, and why, is told to the log alone. */
  healthy(): Promise<boolean> {
    const { clock, config } = this.#parts
    const now = clock.now()
    if (this.#asked === null || now - this.#asked.at >= config.cacheMs) {
      this.#asked = { at: now, outcome: this.#ask() }
    }
    return this.#asked.outcome
  }

  async #ask(): Promise<boolean> {
    const outcomes = await Promise.all([...this.#checks].map(([name, check]) => this.#passes(name, check)))
    return outcomes.every(Boolean)
  }

  async #passes(name: string, check: HealthCheck): Promise<boolean> {
    try {
      await this.#within(check)
      return true
    } catch (error) {
      this.#parts.log.error({ code: 'SVC_OPS_UNHEALTHY', check: name, err: error }, 'a health check failed')
      return false
    }
  }

  #within(check: HealthCheck): Promise<unknown> {
    const { clock, config } = this.#parts
    return new Promise((resolve, reject) => {
      const late = () => reject(new CheckTimeout(String(config.timeoutMs)))
      const timer = clock.setTimeout(late, config.timeoutMs)
      const over = () => clock.clearTimeout(timer)
      // A check that throws at once is caught too.
      void Promise.resolve().then(check).finally(over).then(resolve, reject)
    })
  }
}
