/**
 * Notes when a key was used, at most once per window and never on the caller's time:
 * a store that is slow or down delays no caller, and is not asked again within the window.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, isAnnounced } from 'svc-kernel'
import type { GuardedStore } from '../stores/guarded-store.ts'
import type { TokenRecord, TokensStore } from '../token-store/tokens-store.ts'

/** Keys whose last attempt is remembered; beyond, those whose window is over are forgotten. */
const MANY = 10_000

export class LastUsed {
  readonly #store: GuardedStore<TokensStore>
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  readonly #windowMs: number
  readonly #tried = new Map<string, number>()
  #failing = false

  constructor(windowMs: number, parts: { store: GuardedStore<TokensStore>; clock: Clock; log: FastifyBaseLogger }) {
    this.#windowMs = windowMs
    this.#store = parts.store
    this.#clock = parts.clock
    this.#log = parts.log
  }

  note({ id, lastUsedAt }: Pick<TokenRecord, 'id' | 'lastUsedAt'>): void {
    const now = this.#clock.now()
    const last = Math.max(lastUsedAt ?? 0, this.#tried.get(id) ?? 0)
    if (last !== 0 && last + this.#windowMs > now) return
    if (this.#tried.size >= MANY) this.#forgetOver(now)
    this.#tried.set(id, now)
    void this.#write(id)
  }

  async #write(id: string): Promise<void> {
    try {
      await this.#store.ask((store) => store.markUsed(id, this.#windowMs))
      this.#failing = false
    } catch (error) {
      if (!this.#failing && !isAnnounced(error))
        this.#log.error({ err: error }, 'the last use of API keys cannot be noted')
      this.#failing = true
    }
  }

  #forgetOver(now: number): void {
    for (const [id, at] of this.#tried) if (at + this.#windowMs <= now) this.#tried.delete(id)
    if (this.#tried.size >= MANY) this.#tried.clear()
  }
}
