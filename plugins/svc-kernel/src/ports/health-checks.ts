/**
 * What an application depends on, as `fastify.healthChecks`: a plugin that opens a connection adds a check while it
 * registers, and svc-ops asks them, whichever of the two comes first. Without svc-ops no check is ever called.
 */

/** Asks the dependency itself. Resolves when all is well; whatever it throws is a failure. */
export type HealthCheck = () => unknown

export class HealthChecks {
  readonly #checks = new Map<string, HealthCheck>()
  #leaving = false

  /** The application is about to stop: whatever its checks say, it is not ready for new work. */
  get leaving(): boolean {
    return this.#leaving
  }

  /** Called by what runs the application, once it is told to stop. */
  leave(): void {
    this.#leaving = true
  }

  /** @param name unique in the application, such as `docdb main` @returns `false` for a name that is taken */
  add(name: string, check: HealthCheck): boolean {
    if (this.#checks.has(name)) return false
    this.#checks.set(name, check)
    return true
  }

  entries(): IterableIterator<[name: string, check: HealthCheck]> {
    return this.#checks.entries()
  }
}
