/**
 * Looks after open sockets from time to time: who only listens sends nothing that
 * would have its identity checked, and who vanished says no farewell. One timer for all.
 */
import type { Clock } from 'svc-kernel'

/** A socket as the sweep sees it. */
export interface Swept {
  /** Asks whether peer and identity are still there. */
  lookAfter(): void
}

export class ConnectionSweep {
  readonly #clock: Clock
  readonly #everyMs: number
  readonly #connections: Iterable<Swept>
  #timer: unknown = null

  constructor(parts: { readonly clock: Clock; readonly everyMs: number; readonly connections: Iterable<Swept> }) {
    this.#clock = parts.clock
    this.#everyMs = parts.everyMs
    this.#connections = parts.connections
  }

  start(): void {
    this.#timer = this.#clock.setTimeout(() => {
      for (const connection of this.#connections) connection.lookAfter()
      this.start()
    }, this.#everyMs)
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer)
  }
}
