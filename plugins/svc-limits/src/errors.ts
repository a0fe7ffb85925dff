/** Every error that svc-limits raises. A published code never changes. Refusals are `LimitExceeded` of svc-kernel. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/** thrown: `limits.take` names a limit that does not exist. Fix: define it in the option `limits`. */
export const UnknownLimit = createError<[name: string, known: string]>(
  'SVC_LIMIT_UNKNOWN',
  'no limit is named "%s"; known: %s. Define it in the option limits of svc-limits',
  500,
  TypeError
)

/** thrown: the cost of a call is no whole number from 1 to the burst of the limit. Fix: correct the cost, or raise `burst`. */
export const InvalidCost = createError<[name: string, cost: string, burst: string]>(
  'SVC_LIMIT_COST',
  'the limit "%s" cannot be charged with %s; a cost is a whole number from 1 to its burst, %s',
  500,
  TypeError
)

/** thrown: the key of a call, or what the function of a limit returned, is no text. Fix: pass a text. */
export const InvalidLimitKey = createError<[name: string, got: string]>(
  'SVC_LIMIT_KEY',
  'the limit "%s" needs a text as key, got %s',
  500,
  TypeError
)

/** 503: nothing keeps what is spent of the limits, or it does not answer. Fix: read the cause in the log. */
export const SpendingUnavailable = expectedError(
  'SVC_LIMIT_SPENDING_UNAVAILABLE',
  'what is spent of the limits cannot be read at the moment',
  503
)

/** 404: no limit has this name. Fix: list the limits. */
export const LimitNotFound = expectedError('SVC_LIMIT_NOT_FOUND', 'no limit has this name', 404)

/**
 * 429: the network of the caller has as many WebSockets open as it may. Fix: close some of them, or raise
 * `sockets.perAddress` of svc-limits.
 */
export const TooManySockets = expectedError('SVC_LIMIT_SOCKETS', 'your network has too many WebSockets open', 429)
