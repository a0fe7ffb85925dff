/** Bounds the wait for an answer that is a promise. */
import type { Clock } from 'svc-kernel'
import { DeadlineExceeded } from '../errors.ts'

/**
 * Bounds the wait for a promise. The first settlement counts; whatever comes later is ignored and never becomes an
 * unhandled rejection.
 *
 * @param ms how long to wait; then it fails with DeadlineExceeded
 * @param recover makes a value of a failure, in the same step: a `catch` behind it would cost a promise per request
 */
export function withDeadline<T>(
  pending: PromiseLike<T>,
  ms: number,
  clock: Clock,
  recover?: (error: unknown) => T
): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      try {
        if (recover === undefined) reject(error)
        else resolve(recover(error))
      } catch (second) {
        reject(second)
      }
    }
    const timer = clock.setTimeout(() => fail(new DeadlineExceeded(String(ms))), ms)
    Promise.resolve(pending).then(
      (value) => {
        clock.clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clock.clearTimeout(timer)
        fail(error)
      }
    )
  })
}
