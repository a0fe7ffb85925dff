/** Every error svc-ops can raise. A code, once published, never changes. */
import { createError } from '@fastify/error'

/** A check of this name is there already. */
export const DuplicateCheck = createError<[name: string]>(
  'SVC_OPS_DUPLICATE_CHECK',
  'a health check named "%s" is registered already',
  500,
  TypeError
)

/** Never sent: a check took too long. */
export const CheckTimeout = createError<[ms: string]>('SVC_OPS_CHECK_TIMEOUT', 'no answer within %s ms', 503)
