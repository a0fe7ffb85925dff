/** Tells what is still pending from a value, without making a promise: the synchronous path stays synchronous. */
export function pendingOf(value: unknown): Promise<unknown> | null {
  if (typeof value !== 'object' || value === null || typeof (value as { then?: unknown }).then !== 'function')
    return null
  // A foreign thenable, such as a query that runs when awaited, need not return a promise from its `then`.
  return value instanceof Promise ? value : Promise.resolve(value)
}
