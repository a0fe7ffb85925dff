/** Every error that this package raises. A published code never changes. */
import { createError } from '@fastify/error'

/**
 * 503: Redis, or PostgreSQL, does not answer, so jobs cannot be queued, taken or counted. Fix: start the server again; read
 * the log.
 */
export const QueueUnavailable = createError(
  'SVC_BULLMQ_UNAVAILABLE',
  'the queue of jobs cannot be reached at the moment',
  503
)

/** start: an option is missing, or its value is not valid. Fix: correct the option in the message. */
export const QueueOptionsInvalid = createError<[problem: string]>(
  'SVC_BULLMQ_OPTIONS',
  'the options of the BullMQ queue are wrong: %s',
  500,
  TypeError
)
