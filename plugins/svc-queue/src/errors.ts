/** Every error that this package raises. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/** start: a limit of a worker is not a whole number, or is too small. Fix: correct the limit in the message. */
export const LimitsInvalid = createError<[name: string, got: string, least: string]>(
  'SVC_QUEUE_LIMITS',
  'the limit %s of a worker is %s; it must be a whole number of at least %s',
  500,
  TypeError
)

/** start or 501: a lane has limits, or lanes are to be listed or paused, and the driver of the queue keeps none of that. Fix: choose another driver, or take the limits away. */
export const LanesUnsupported = expectedError(
  'SVC_QUEUE_LANES',
  'lanes have limits, or are to be listed or paused, and the driver of the queue has no `lanes`: choose one that has, or remove the limits',
  501
)
