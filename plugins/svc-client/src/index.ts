/**
 * svc-client: calls of an application, typed by its controller classes, over HTTP and over the open socket. For browsers
 * and Node; it has no dependency, and is no plugin.
 *
 * Decorates  nothing
 * Hooks      none
 * Needs      nothing
 */

export {
  type Client,
  createClient,
  type LiveClient,
  type Outcome,
  type RouteCalls
} from './create-client.ts'
export { CallError, type ClientCode, type ClientFailure } from './errors.ts'
export type {
  CallOptions,
  CallSettings,
  ClientOptions,
  Interceptor,
  RetryOptions
} from './options.ts'
export type {
  AnswerOf,
  ErrorOf,
  InputOf,
  PathValue,
  Returned,
  RouteFailure,
  Taken,
  Upload
} from './routes/route.ts'
export type { Bytes, Wire } from './routes/wire.ts'
export type { MessageStream } from './socket/message-stream.ts'
export type { Closing } from './socket/realtime-socket.ts'
export type { SocketFactory, SocketLike } from './socket/socket-like.ts'
