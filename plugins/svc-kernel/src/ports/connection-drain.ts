/**
 * Connections that last, such as WebSockets, leave one after the other before the application stops, as
 * `fastify.connectionDrain`: their clients come back elsewhere, and not all in one moment. A connection joins when it
 * opens and parts when it closes; what runs the application begins the drain.
 */
import { type Clock, systemClock } from './clock.ts'

/** The close code of a socket that leaves so: Service Restart, in the IANA registry of WebSocket close codes. */
export const SERVICE_RESTART = 1012

/** A connection that can be asked to leave. */
export interface LastingConnection {
  /** Called once: finish what was received, then close. Must not throw. */
  leave(): void
}

/** At the end of a drain: nobody is asked any more, so that what leaves can finish. */
const LAST_MS = 1000

export class ConnectionDrain {
  readonly #clock: Clock
  /** Not asked yet, those that came first before the others. */
  readonly #waiting = new Set<LastingConnection>()
  /** Epoch ms up to which connections are asked; `null` while the application serves. */
  #until: number | null = null
  /** Epoch ms at which the last one was due. */
  #due = 0
  #timer: unknown = null

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** A connection that is open. During a drain it is asked too, unless the drain is nearly over. */
  join(connection: LastingConnection): void {
    if (this.#until === null) {
      this.#waiting.add(connection)
      return
    }
    const now = this.#clock.now()
    if (this.#until - now < LAST_MS) return
    if (this.#waiting.size === 0) this.#due = now
    this.#waiting.add(connection)
    this.#ask()
  }

  /** A connection that has closed, or that leaves by itself. */
  part(connection: LastingConnection): void {
    this.#waiting.delete(connection)
  }

  /** Asks each connection, at even distances. @param withinMs how long requests are still served; within a second nobody is asked */
  begin(withinMs: number): void {
    if (this.#until !== null) return
    this.#due = this.#clock.now()
    this.#until = this.#due + withinMs - LAST_MS
    if (withinMs > LAST_MS) this.#ask()
    else this.#waiting.clear()
  }

  /** Asks nobody any more. */
  end(): void {
    this.#clock.clearTimeout(this.#timer)
    this.#waiting.clear()
    this.#until = 0
  }

  #ask(): void {
    this.#clock.clearTimeout(this.#timer)
    const now = this.#clock.now()
    for (const connection of this.#waiting) {
      const next = this.#due + ((this.#until ?? now) - this.#due) / (this.#waiting.size + 1)
      if (next > now) {
        this.#timer = this.#clock.setTimeout(() => this.#ask(), Math.ceil(next - now))
        return
      }
      this.#due = next
      this.#waiting.delete(connection)
      connection.leave()
    }
  }
}
