/** The decorator of rate limits, on a method or a class. */
import type { RateLimit as Limit } from 'svc-kernel'
import { callSite, showCall } from '../declarations/call-site.ts'
import { type ClassOrMethod, onClassOrMethod } from '../declarations/declare.ts'

/**
 * Limits how often a method may be called, by HTTP requests and WebSocket messages together. On a class each method has
 * its own budget, unless the limit has a name. Several limits all count. Needs svc-limits: without it the
 * application does not start.
 *
 * @param limit such as `{ rate: '100/min', by: 'identity' }`
 */
export function RateLimit(limit: Limit): ClassOrMethod {
  const written = { decorator: showCall('RateLimit', [limit]), source: callSite(RateLimit) }
  return (target, name) => {
    onClassOrMethod(written, target, name, ({ limits }) => {
      limits.unshift({ ...written, limit })
    })
  }
}
