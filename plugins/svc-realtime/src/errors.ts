/** Every error that svc-realtime raises. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/**
 * socket: `api.request` names a path that no route answers over the socket; the answer is error -32602. Fix: add
 * `config: { realtime: true }` to the route, or send the request over HTTP.
 */
export const NotInvokable = expectedError(
  'SVC_REALTIME_NOT_INVOKABLE',
  'no route with this path accepts requests over the socket',
  404
)

/**
 * 503: a change over the socket reached a route without an idempotency gate. Fix: register svc-realtime before the
 * route, and svc-security with accounts.
 */
export const NoIdempotencyGate = expectedError(
  'SVC_REALTIME_NO_GATE',
  'changes over the socket are not available: %s',
  503
)

/**
 * 504: the route did not answer `api.request` within `requestTimeoutMs`. Fix: send it again with the same key; raise
 * `requestTimeoutMs`, if the route needs longer.
 */
export const InvocationTimeout = expectedError('SVC_REALTIME_TIMEOUT', 'the route did not answer in time', 504)

/**
 * thrown: `fastify.realtime.publish` got an invalid channel name. Fix: use 1 to 255 characters, without spaces,
 * control characters and `*`.
 */
export const InvalidChannel = createError<[name: string]>(
  'SVC_REALTIME_CHANNEL',
  '%s is not a channel name: 1 to 255 characters, without spaces, control characters and *',
  500,
  TypeError
)

/** thrown: the data of a message cannot be written as JSON. Fix: publish data that JSON can hold. */
export const UnsendableData = createError<[reason: string]>(
  'SVC_REALTIME_DATA',
  'the data of a message cannot be written as JSON: %s',
  500,
  TypeError
)

const Unavailable = expectedError('SVC_REALTIME_REDIS', 'the Redis server of svc-realtime does not answer', 503)

/**
 * log: the Redis server did not answer the health check; messages stay in this instance. Fix: check the server; no
 * restart is needed.
 *
 * The adapter logs when the outage begins and ends.
 */
export class RedisUnavailable extends Unavailable {
  readonly announced = true
}
