/** Tells a promise, of any make, from a value. Reads `then` once; a hostile getter throws into the caller. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
