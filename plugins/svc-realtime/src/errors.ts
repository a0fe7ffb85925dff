/** Every error svc-realtime can raise. A code, once published, never changes. */
import { createError } from '@fastify/error'

/** 404 to the socket: no route answers this path, or the route does not let sockets call it. */
export const NotInvokable = createError(
  'SVC_REALTIME_NOT_INVOKABLE',
  'no route that takes requests over the socket answers this path',
  404,
  Error,
  false
)

/** 503: a change over the socket needs the idempotency gate, and none stands before this route. */
export const NoIdempotencyGate = createError(
  'SVC_REALTIME_NO_GATE',
  'changes over the socket are not available: %s',
  503,
  Error,
  false
)

/** 504: the invoked route did not answer in time. */
export const InvocationTimeout = createError(
  'SVC_REALTIME_TIMEOUT',
  'the route did not answer in time',
  504,
  Error,
  false
)

/** Thrown by `fastify.realtime.publish`. */
export const InvalidChannel = createError<[name: string]>(
  'SVC_REALTIME_CHANNEL',
  '%s is no channel name: 1 to 255 characters, without spaces, control characters and *',
  500,
  TypeError
)

/** Thrown by `fastify.realtime.publish`. */
export const UnsendableData = createError<[reason: string]>(
  'SVC_REALTIME_DATA',
  'the data of a message must have a JSON form: %s',
  500,
  TypeError
)

const Unavailable = createError(
  'SVC_REALTIME_REDIS',
  'the Redis server of svc-realtime does not answer',
  503,
  Error,
  false
)

/** Never sent: what the health check says while messages stay in this instance. The adapter logs when that begins and ends. */
export class RedisUnavailable extends Unavailable {
  readonly announced = true
}
