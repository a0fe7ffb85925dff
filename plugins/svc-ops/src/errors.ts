/** Every error svc-ops can raise. A code, once published, never changes. */
import { createError } from '@fastify/error'

/** thrown: two health checks have one name. Fix: rename one. */
export const DuplicateCheck = createError<[name: string]>(
  'SVC_OPS_DUPLICATE_CHECK',
  'a health check named "%s" is registered already',
  500,
  TypeError
)

/** log: a health check did not answer in time. Fix: see what it asks, or raise `health.timeoutMs`. */
export const CheckTimeout = createError<[ms: string]>('SVC_OPS_CHECK_TIMEOUT', 'no answer within %s ms', 503)
