/** Every error that this package raises. A published code never changes. */
import { createError } from '@fastify/error'

/** start: a limit of a worker is not a whole number, or is too small. Fix: correct the limit in the message. */
export const LimitsInvalid = createError<[name: string, got: string, least: string]>(
  'SVC_QUEUE_LIMITS',
  'the limit %s of a worker is %s; it must be a whole number of at least %s',
  500,
  TypeError
)
