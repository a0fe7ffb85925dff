/**
 * What may come once, such as the `jti` of a proof or of a logout token: of those that bring it at once, on all instances,
 * one goes through. It lies beside the idempotency keys, under a hash of its own kind, and expires by itself.
 */
import { hash } from 'node:crypto'
import type { IdempotencyStore } from './idempotency-store.ts'

const DONE = { status: 200, headers: {}, body: '' } as const

export class ReplayGuard {
  readonly #store: Pick<IdempotencyStore, 'begin' | 'complete' | 'abandon'>
  readonly #kind: string

  /** @param store one that fails with status 503 where it cannot be used */
  constructor(store: Pick<IdempotencyStore, 'begin' | 'complete' | 'abandon'>, kind: string) {
    this.#store = store
    this.#kind = kind
  }

  /**
   * @param names whose it is, and its own name
   * @param lifeMs for how long it is remembered
   * @returns `false` where it came before
   */
  async claim(names: readonly string[], lifeMs: number): Promise<boolean> {
    return (await this.#store.begin(this.#id(names), this.#kind, lifeMs)).state === 'started'
  }

  /**
   * Work that may be done again as long as it has not succeeded: where it fails, or its process dies, the next caller does it.
   *
   * @returns `false` where it was done before
   */
  async once(names: readonly string[], lifeMs: number, work: () => Promise<void>): Promise<boolean> {
    const id = this.#id(names)
    const opening = await this.#store.begin(id, this.#kind, lifeMs)
    if (opening.state === 'completed') return false
    try {
      await work()
    } catch (error) {
      if (opening.state === 'started') await this.#store.abandon(id, opening.owner)
      throw error
    }
    if (opening.state === 'started') await this.#store.complete(id, opening.owner, DONE)
    return true
  }

  #id(names: readonly string[]): string {
    return hash('sha256', JSON.stringify(['svc-security/once', this.#kind, ...names]), 'base64url')
  }
}
