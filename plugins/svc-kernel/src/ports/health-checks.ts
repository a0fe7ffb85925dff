/**
 * What an application depends on, as `fastify.healthChecks`: a plugin that opens a connection adds a check while it
 * registers, and svc-ops asks them, whichever of the two comes first. Each answer is remembered, so that an outage has a
 * beginning. Nothing asks by itself.
 */
import { Degraded } from '../errors.ts'
import { type Clock, systemClock, withTimeout } from './clock.ts'

/** Asks the dependency itself. Resolves when all is well; whatever it throws is a failure, but for `Degraded`. */
export type HealthCheck = () => unknown

/** A dependency that does not answer. */
export interface Outage {
  /** As its check was added, such as `database main`. */
  readonly name: string
  /** Epoch ms: when its connection broke off, or when a check was first seen to fail. */
  readonly since: number
}

/** A crowd that asks at once costs one look. */
const KEPT_MS = 1000

export class HealthChecks {
  readonly #clock: Clock
  readonly #checks = new Map<string, HealthCheck>()
  readonly #beginnings = new Map<string, () => number | null>()
  /** Of the checks that failed the last time. */
  readonly #failing = new Map<string, number>()
  #leaving = false
  readonly #running = new Map<string, Promise<unknown>>()
  #looked: { readonly at: number; readonly outages: Promise<readonly Outage[]> } | null = null

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** The application is about to stop: whatever its checks say, it is not ready for new work. */
  get leaving(): boolean {
    return this.#leaving
  }

  /** Called by what runs the application, once it is told to stop. */
  leave(): void {
    this.#leaving = true
  }

  /**
   * @param name unique in the application, such as `docdb main`
   * @param since epoch ms at which the dependency was lost, where it knows
   * @returns `false` for a name that is taken
   */
  add(name: string, check: HealthCheck, since: () => number | null = () => null): boolean {
    if (this.#checks.has(name)) return false
    this.#checks.set(name, async () => {
      try {
        await check()
        this.#failing.delete(name)
      } catch (error) {
        if (error instanceof Degraded) this.#failing.delete(name)
        else this.#fails(name)
        throw error
      }
    })
    this.#beginnings.set(name, since)
    return true
  }

  entries(): IterableIterator<[name: string, check: HealthCheck]> {
    return this.#checks.entries()
  }

  /** Asks every dependency. @param boundMs who has not answered by then does not answer @returns never rejects */
  outages(boundMs: number): Promise<readonly Outage[]> {
    const now = this.#clock.now()
    if (this.#looked === null || now - this.#looked.at >= KEPT_MS) {
      this.#looked = { at: now, outages: this.#look(boundMs) }
    }
    return this.#looked.outages
  }

  async #look(boundMs: number): Promise<readonly Outage[]> {
    const late = () => new Error(`no answer within ${boundMs} ms`)
    const ended = await Promise.all(
      [...this.#checks].map(([name, check]) =>
        withTimeout(boundMs, this.#clock, () => this.#run(name, check), late).then(
          () => null,
          (error) => (error instanceof Degraded ? null : this.#outageOf(name))
        )
      )
    )
    return ended.filter((outage) => outage !== null)
  }

  /** One that has not answered yet is not asked a second time. */
  #run(name: string, check: HealthCheck): Promise<unknown> {
    const running =
      this.#running.get(name) ??
      Promise.resolve()
        .then(check)
        .finally(() => this.#running.delete(name))
    this.#running.set(name, running)
    return running
  }

  #outageOf(name: string): Outage {
    this.#fails(name)
    return { name, since: this.#beginnings.get(name)?.() ?? this.#failing.get(name) ?? this.#clock.now() }
  }

  #fails(name: string): void {
    if (!this.#failing.has(name)) this.#failing.set(name, this.#clock.now())
  }
}
