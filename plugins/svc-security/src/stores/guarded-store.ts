/**
 * A store that is disabled or fails proves nothing about the caller: "not able now" (503), never "let in", "refused" or
 * "not revoked". Errors that are answers themselves pass, such as the refusal of what a caller gave.
 */
import { AuthenticationUnavailable } from '../errors.ts'
import { readableError, refusedFor } from '../journal/audit-writer.ts'

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

/** No async function: this runs before every store of every request, and `await` would cost it a promise more. */
export function orUnavailable<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return Promise.resolve<T>(work()).then(undefined, fail)
  } catch (error) {
    return Promise.reject(reported(error))
  }
}

/** True for "not able now", which is neither yes nor no. */
export function isUnavailable(error: unknown): boolean {
  return readableError(error).statusCode === 503
}

function fail(error: unknown): never {
  throw reported(error)
}

function reported(error: unknown): unknown {
  const { type, message, statusCode = 500 } = readableError(error)
  if (statusCode < 500 || statusCode === 503) return error
  return refusedFor(new AuthenticationUnavailable(), `${type}: ${message}`)
}
