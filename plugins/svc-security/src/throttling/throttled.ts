/** The refusal of who comes too early, wherever something is counted. */
import { Throttled } from '../errors.ts'

/** @param seconds until it makes sense to come back; told as `Retry-After`, at least 1 */
export function throttled(seconds: number): Error {
  const retryAfter = String(Math.max(1, Math.ceil(seconds)))
  return Object.assign(new Throttled(), { headers: { 'retry-after': retryAfter } })
}
