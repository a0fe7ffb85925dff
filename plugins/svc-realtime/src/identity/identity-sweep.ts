/**
 * Asks from time to time whether the identities of idle subscribers still hold:
 * who only listens sends nothing that would be checked. One timer for all sockets.
 */
import type { Clock } from 'svc-kernel'

/** A socket as the sweep sees it. */
export interface Listener {
  readonly listens: boolean
  /** Ends the socket where its identity is over. Asking is no activity: an idle session still ends. */
  recheck(): void
}

export class IdentitySweep {
  readonly #clock: Clock
  readonly #everyMs: number
  readonly #listeners: Iterable<Listener>
  #timer: unknown = null

  constructor(parts: { readonly clock: Clock; readonly everyMs: number; readonly listeners: Iterable<Listener> }) {
    this.#clock = parts.clock
    this.#everyMs = parts.everyMs
    this.#listeners = parts.listeners
  }

  start(): void {
    this.#timer = this.#clock.setTimeout(() => {
      for (const listener of this.#listeners) if (listener.listens) listener.recheck()
      this.start()
    }, this.#everyMs)
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer)
  }
}
