/**
 * What surrounds the caller and goes along with a job that it adds, as `fastify.carriedContexts`: svc-orm adds the row
 * scopes. A job then works within what it was added in.
 */

/** Takes a context along, as JSON, and enters it again in another process. */
export interface ContextCarrier<Taken = unknown> {
  /** @returns `undefined` for none */
  take(): Taken | undefined
  enter<T>(taken: Taken, work: () => T): T
}

export class CarriedContexts {
  readonly #carriers = new Map<string, ContextCarrier>()

  /** @param name unique in the application, such as `scopes` */
  add<Taken>(name: string, carrier: ContextCarrier<Taken>): void {
    this.#carriers.set(name, carrier as ContextCarrier)
  }

  /** By name; `undefined` where there is nothing to take. */
  take(): Readonly<Record<string, unknown>> | undefined {
    const taken = [...this.#carriers].flatMap(([name, carrier]) => {
      const value = carrier.take()
      return value === undefined ? [] : [[name, value] as const]
    })
    return taken.length === 0 ? undefined : Object.fromEntries(taken)
  }

  /** Runs `work` within all that was taken. */
  enter<T>(taken: Readonly<Record<string, unknown>>, work: () => T): T {
    const enclosed = Object.entries(taken).reduceRight<() => T>((inner, [name, value]) => {
      const carrier = this.#carriers.get(name)
      return carrier === undefined ? inner : () => carrier.enter(value, inner)
    }, work)
    return enclosed()
  }
}
