/**
 * This instance as a holder of deliveries: it says that it lives, and takes another name once it was found silent, or once
 * it cannot know what it holds. A name that it gave up and could not leave falls silent.
 */
import { randomId } from 'svc-kernel/plugin'
import { BEAT_MS, type DurableQueue } from './durable-queue.ts'

export interface PresenceParts {
  readonly extend: DurableQueue['extend']
  readonly leave: DurableQueue['leave']
  /** Others have what it held, or are about to. */
  readonly onLost: () => void
  readonly onFailed: (error: unknown) => void
}

export class Presence {
  readonly #parts: PresenceParts
  #holder = randomId('holder')
  #alive = false
  /** Calls until it says so again. */
  #rest = 0
  /** Names that it gave up and is still to leave. */
  readonly #former = new Set<string>()

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

  /** @returns what it holds by this call: nothing where it took another name meanwhile, as others have it, or are about to */
  async holding(call: (holder: string) => Promise<readonly string[]>): Promise<readonly string[]> {
    const name = this.#holder
    const held = await call(name)
    return this.#holder === name ? held : []
  }

  /** Called regularly. @param everyMs how often */
  async keep(everyMs: number): Promise<void> {
    this.#rest -= 1
    if (this.#alive && this.#rest > 0) return
    this.#rest = Math.floor(BEAT_MS / everyMs)
    const { extend, onLost, onFailed } = this.#parts
    try {
      await this.#leaveFormer()
      this.#alive = await extend(this.#holder)
      if (this.#alive) return
      onLost()
      this.#holder = randomId('holder')
      this.#alive = await extend(this.#holder)
    } catch (error) {
      onFailed(error)
    }
  }

  /** @param claim whose answer is lost, or late: the queue may have given it what nobody here knows of */
  doubt(claim: Promise<unknown>): void {
    const former = this.#holder
    this.#alive = false
    this.#rest = 0
    this.#holder = randomId('holder')
    this.#parts.onLost()
    const leaveLater = () => void this.#former.add(former)
    claim.then(leaveLater, leaveLater)
  }

  /** What it holds is free. */
  async leave(): Promise<void> {
    await this.#leaveFormer()
    await this.#parts.leave(this.#holder)
  }

  async #leaveFormer(): Promise<void> {
    for (const name of this.#former) {
      await this.#parts.leave(name)
      this.#former.delete(name)
    }
  }
}
