/**
 * Logs what was thrown, whatever it is. A logger's serialiser may itself fail on
 * an error that is frozen or hostile; that must cost neither the answer nor the process.
 */
import type { FastifyBaseLogger } from 'fastify'

/** One ERROR line. Never throws because of `thrown`. */
export function logFailure(log: FastifyBaseLogger, thrown: unknown, message: string): void {
  try {
    log.error({ err: thrown }, message)
  } catch {
    log.error({ err: copyOf(thrown) }, message)
  }
}

/** An error of our own with the texts of another, as far as they can be read. */
function copyOf(thrown: unknown): Error {
  try {
    const { message, stack } = thrown as Error
    return Object.assign(new Error(String(message)), { stack: String(stack) })
  } catch {
    return new Error('an error that cannot be read')
  }
}
