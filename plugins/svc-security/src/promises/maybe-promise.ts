/**
 * Answers that may be promises: stay synchronous where they are none, and bound the wait where they are. A promise per
 * step was measured at several times the cost of the step.
 */
import type { Clock } from 'svc-kernel'
import { DeadlineExceeded } from '../errors.ts'

/** An answer, at once or later. */
export type MaybePromise<T> = T | Promise<T>

/** Tells a promise, of any make, from a value. Reads `then` once; a hostile getter throws into the caller. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}

/** Goes on with a value that may be a promise, and stays synchronous when it is none. */
export function andThen<From, To>(
  value: From | PromiseLike<From>,
  next: (value: From) => MaybePromise<To>
): MaybePromise<To> {
  return isThenable(value) ? Promise.resolve(value as PromiseLike<From>).then(next) : next(value as From)
}

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
