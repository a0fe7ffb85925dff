/**
 * A store that fails proves nothing about the caller: "not able now" (503), never
 * "let in" and never "refused". Errors that are answers themselves pass.
 */
import { AuthenticationUnavailable } from '../errors.ts'
import { readableError } from '../journal/readable-error.ts'
import { refusedFor } from '../journal/refused-for.ts'

/** No async function: this stands before every store of every request, and `await` would cost it a promise more. */
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
