/**
 * The way to the token store. One that is disabled or fails means "not able now"
 * (503), never "not revoked"; what it refuses in its caller's input passes as it is.
 */
import type { TokensStore } from 'svc-stores'
import { AuthenticationUnavailable } from '../errors.ts'
import { orUnavailable } from './or-unavailable.ts'

export class StoreDoor {
  readonly #store: TokensStore | null

  /** @param store `null` where the brick is disabled */
  constructor(store: TokensStore | null) {
    this.#store = store
  }

  /** Rejects with AuthenticationUnavailable (503), or with the store's own refusal of what it was given. */
  ask<T>(question: (store: TokensStore) => Promise<T>): Promise<T> {
    const store = this.#store
    if (store === null) return Promise.reject(new AuthenticationUnavailable())
    return orUnavailable(() => question(store))
  }
}
