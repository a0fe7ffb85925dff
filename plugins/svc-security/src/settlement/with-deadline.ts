/**
 * Bounds the wait for a promise. The first settlement counts; whatever comes
 * later is ignored and never becomes an unhandled rejection.
 */
import type { Clock } from 'svc-kernel'
import { DeadlineExceeded } from '../errors.ts'

export function withDeadline<T>(pending: PromiseLike<T>, ms: number, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(new DeadlineExceeded(String(ms))), ms)
    Promise.resolve(pending).then(
      (value) => {
        clock.clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clock.clearTimeout(timer)
        reject(error)
      }
    )
  })
}
