/**
 * Answers that may be promises, and stay synchronous where they are none: a promise per step was measured at several
 * times the cost of the step. A failure has the meaning of one either way.
 */

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
