/** Every error that svc-ops raises. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/** thrown: two health checks have the same name. Fix: rename one. */
export const DuplicateCheck = createError<[name: string]>(
  'SVC_OPS_DUPLICATE_CHECK',
  'a health check named "%s" is registered already',
  500,
  TypeError
)

/**
 * 404: the list of requests is switched off, which is the default in production. Fix: set `requests.enabled` of
 * svc-ops.
 */
export const RequestsOff = expectedError(
  'SVC_OPS_REQUESTS_OFF',
  'requests are not recorded: set requests.enabled of svc-ops',
  404
)

/** 404: the list has no request with this id; newer requests may have replaced it. Fix: search the log for the id. */
export const RequestUnknown = expectedError('SVC_OPS_REQUEST_UNKNOWN', 'no recorded request has this id', 404)

/** 409: the application's logger has no adjustable level. Fix: give the server a logger, such as `logger: true`. */
export const LogLevelFixed = expectedError('SVC_OPS_LOG_LEVEL', 'the level of this logger cannot be set', 409)

/** log: a health check did not answer in time. Fix: check what it calls, or raise `health.timeoutMs`. */
export const CheckTimeout = createError<[ms: string]>('SVC_OPS_CHECK_TIMEOUT', 'no answer within %s ms', 503)
