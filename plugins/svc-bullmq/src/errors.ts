/** Every error of this package. A code, once published, never changes. */
import { createError } from '@fastify/error'

/** 503: Redis, or PostgreSQL, does not answer, so that nothing is admitted, taken or counted. Fix: bring it back; see the log. */
export const QueueUnavailable = createError(
  'SVC_BULLMQ_UNAVAILABLE',
  'the queue of webhook deliveries cannot be reached at the moment',
  503
)

/** start: an option is missing, or its value is not one it takes. Fix: correct the option that the message names. */
export const QueueOptionsInvalid = createError<[problem: string]>(
  'SVC_BULLMQ_OPTIONS',
  'the options of the BullMQ queue are wrong: %s',
  500,
  TypeError
)
