/** When API keys were used last. */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { isAnnounced } from 'svc-kernel/plugin'
import type { TokenRecord } from '../token-store/token-record.ts'
import type { TokensStore } from '../token-store/tokens-store.ts'

/** Keys whose last attempt is remembered; beyond, those whose window is over are forgotten. */
const MANY = 10_000

export interface LastUsedParts {
  readonly store: Pick<TokensStore, 'markUsed'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

/**
 * Notes when a key was used, at most once per window and never on the caller's time: a store that is slow or down delays
 * no caller, and is not asked again within the window.
 */
export class LastUsed {
  readonly #parts: LastUsedParts
  readonly #windowMs: number
  readonly #tried = new Map<string, number>()
  #failing = false

  constructor(windowMs: number, parts: LastUsedParts) {
    this.#windowMs = windowMs
    this.#parts = parts
  }

  note({ id, lastUsedAt }: Pick<TokenRecord, 'id' | 'lastUsedAt'>, now = this.#parts.clock.now()): void {
    const last = Math.max(lastUsedAt ?? 0, this.#tried.get(id) ?? 0)
    if (last !== 0 && last + this.#windowMs > now) return
    if (this.#tried.size >= MANY) this.#forgetOver(now)
    this.#tried.set(id, now)
    void this.#write(id)
  }

  async #write(id: string): Promise<void> {
    try {
      await this.#parts.store.markUsed(id, this.#windowMs)
      this.#failing = false
    } catch (error) {
      if (!this.#failing && !isAnnounced(error))
        this.#parts.log.error({ err: error }, 'the last use of API keys could not be stored')
      this.#failing = true
    }
  }

  #forgetOver(now: number): void {
    for (const [id, at] of this.#tried) if (at + this.#windowMs <= now) this.#tried.delete(id)
    if (this.#tried.size >= MANY) this.#tried.clear()
  }
}
