/**
 * A store that is disabled or fails proves nothing about the caller: "not able now" (503), never "let in", "refused" or
 * "not revoked". Errors that are answers themselves pass, such as the refusal of what a caller gave. An answer that comes
 * at once stays one; a failure is always a rejection.
 */
import type { MaybePromise } from 'svc-kernel'
import { isThenable } from 'svc-kernel/plugin'
import { AuthenticationUnavailable } from '../errors.ts'
import { readableError, refusedFor } from '../journal/audit-writer.ts'

type Operations = Record<string, (...given: readonly unknown[]) => unknown>

/**
 * A store of which each operation rejects with AuthenticationUnavailable (503), or with the store's own refusal of what
 * it was given.
 *
 * @param operations all that are used
 * @param store `null` where it is disabled
 */
export function guardedStore<Store extends object>(
  { operations }: { readonly operations: readonly string[] },
  store: Store | null
): Store {
  const given = store as unknown as Operations | null
  const guarded: Operations = {}
  for (const name of operations) {
    guarded[name] = (...values) => {
      if (given === null) return Promise.reject(new AuthenticationUnavailable())
      try {
        return answered(given[name]?.(...values))
      } catch (error) {
        return Promise.reject(reported(error))
      }
    }
  }
  return guarded as unknown as Store
}

/** The same for work that is no single operation. */
export function orUnavailable<T>(work: () => MaybePromise<T>): MaybePromise<T> {
  try {
    return answered(work())
  } catch (error) {
    return Promise.reject(reported(error))
  }
}

function answered<T>(answer: MaybePromise<T>): MaybePromise<T> {
  return isThenable(answer) ? Promise.resolve(answer).then(undefined, fail) : answer
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
