/** This instance as a holder of deliveries: it says that it lives, and takes another name once it was found silent. */
import { randomId } from 'svc-kernel'
import { BEAT_MS, type DurableQueue } from './durable-queue.ts'

export interface PresenceParts {
  readonly extend: DurableQueue['extend']
  /** Others have what it held. */
  readonly onLost: () => void
  readonly onFailed: (error: unknown) => void
}

export class Presence {
  readonly #parts: PresenceParts
  #holder = randomId('holder')
  #alive = false
  /** Calls until it says so again. */
  #rest = 0

  constructor(parts: PresenceParts) {
    this.#parts = parts
  }

  /** The name under which it holds. */
  get holder(): string {
    return this.#holder
  }

  /** Others know that it lives: what it holds comes free when it dies. */
  get alive(): boolean {
    return this.#alive
  }

  /** Called regularly. @param everyMs how often */
  async keep(everyMs: number): Promise<void> {
    this.#rest -= 1
    if (this.#alive && this.#rest > 0) return
    this.#rest = Math.floor(BEAT_MS / everyMs)
    const { extend, onLost, onFailed } = this.#parts
    try {
      this.#alive = await extend(this.#holder)
      if (this.#alive) return
      onLost()
      this.#holder = randomId('holder')
      this.#alive = await extend(this.#holder)
    } catch (error) {
      onFailed(error)
    }
  }
}
