/**
 * Where limited operations meet what counts them. The kernel always installs the gate; svc-limits only adds the engine. So
 * a limit without an engine ends the boot, and a route that gets past it is closed, never unlimited.
 */
import { BootError } from '../problems/boot-error.ts'
import type { LimitEngine, LimitedOperation } from './rate-limit.ts'

/** `fastify.limitGate`, one per application. */
export class LimitGate {
  /** Of every limited route that was declared since the first svc plugin. */
  readonly operations: LimitedOperation[] = []
  #engine: LimitEngine | null = null

  get engine(): LimitEngine | null {
    return this.#engine
  }

  use(engine: LimitEngine): void {
    this.#engine = engine
  }

  /** At the end of the boot. @throws BootError for limits that nothing would count */
  check(): void {
    if (this.#engine !== null || this.operations.length === 0) return
    const byName = new Map(this.operations.map((operation) => [operation.name, operation]))
    throw new BootError(
      [...byName.values()].map(({ name, source }) => ({
        code: 'SVC_LIMIT_ENGINE',
        message: `${name} has a rate limit, but svc-limits is not registered`,
        at: source ?? undefined,
        fix: 'npx svc module:add limits, or fastify.register(svcLimits)',
        more: 'npx svc docs rate-limits'
      }))
    )
  }
}
