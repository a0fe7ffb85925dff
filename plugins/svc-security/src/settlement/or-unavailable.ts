/**
 * A store that fails proves nothing about the caller: "not able now" (503), never
 * "let in" and never "refused". Errors that are answers themselves pass.
 */
import { AuthenticationUnavailable } from '../errors.ts'
import { readableError } from '../journal/readable-error.ts'
import { refusedFor } from '../journal/refused-for.ts'

export async function orUnavailable<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { type, message, statusCode = 500 } = readableError(error)
    if (statusCode < 500 || statusCode === 503) throw error
    throw refusedFor(new AuthenticationUnavailable(), `${type}: ${message}`)
  }
}
