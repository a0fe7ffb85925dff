/**
 * The way to a store. One that is disabled or fails means "not able now" (503), never
 * "not revoked"; what it refuses in its caller's input passes as it is.
 */
import { AuthenticationUnavailable } from '../errors.ts'
import { orUnavailable } from '../settlement/or-unavailable.ts'

export class GuardedStore<Store> {
  readonly #store: Store | null

  /** @param store `null` where it is disabled */
  constructor(store: Store | null) {
    this.#store = store
  }

  /** Rejects with AuthenticationUnavailable (503), or with the store's own refusal of what it was given. */
  ask<T>(question: (store: Store) => T | Promise<T>): Promise<T> {
    const store = this.#store
    if (store === null) return Promise.reject(new AuthenticationUnavailable())
    return orUnavailable(() => question(store))
  }
}
