/**
 * Every error that svc-host answers with. Problems of the boot are `BootError`s, whose codes are in problem-codes.ts.
 */
import { expectedError } from 'svc-kernel/plugin'

/** 400: the request is not valid HTTP/1.1, or has no `Host` header. Fix: correct the client. */
export const NoHost = expectedError('SVC_HTTP_400', 'the request has no Host header', 400)

/**
 * 503, log: the server, or one address, has as many connections as it may; the connection was ended before a request was
 * read. Fix: set `server.maxConnections` or `server.maxConnectionsPerAddress`, and `trustProxy` behind a proxy.
 */
export const TooManyConnections = expectedError(
  'SVC_HTTP_CONNECTIONS',
  'the server has as many connections of this address as it takes',
  503
)
