/** Every error that svc-decorators raises while it serves. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/** 426: an HTTP request reached a WebSocket route. Fix: connect with a WebSocket client. */
export const UpgradeRequired = expectedError<[path: string]>(
  'SVC_WS_UPGRADE_REQUIRED',
  '%s is a WebSocket route; connect with a WebSocket client, such as: npx wscat -c ws://<host>:<port>/...',
  426
)

/**
 * 400: a WebSocket handshake reached a route that answers HTTP only. Fix: send an HTTP request, or decorate the
 * method with `@WebSocket` too.
 */
export const HttpRoute = expectedError(
  'SVC_WS_HTTP_ROUTE',
  'this route answers HTTP requests and does not open a WebSocket',
  400
)

/**
 * 400: a header of a WebSocket handshake is missing or malformed. Fix: use a WebSocket client that speaks version 13.
 */
export const InvalidHandshake = expectedError<[finding: string]>('SVC_WS_HANDSHAKE', '%s', 400)

/** 415: a binary frame reached a method that reads text. Fix: send text, or declare `@Message({ binary: true })`. */
export const UnsupportedFrame = expectedError('SVC_WS_BINARY', 'this route takes text frames, not binary ones', 415)

/** 400: the message is not JSON. Fix: send JSON; `@Message()` accepts any text. */
export const InvalidJsonMessage = expectedError('SVC_WS_JSON', 'the message is not valid JSON', 400)

/**
 * log: a message does not match `schema.body`; the answer has the code `SVC_HTTP_VALIDATION`, as for a request body.
 * Fix: correct the message.
 */
export const InvalidMessage = expectedError('SVC_WS_VALIDATION', 'the message is not valid', 400)

/** 500: a method answered a message with a stream. Fix: return a value. */
export const UnsendableResult = createError(
  'SVC_WS_RESULT',
  'a stream cannot be the answer to a WebSocket message',
  500
)

/**
 * thrown: the compiler applied a decorator in the standard form. Fix: set `"experimentalDecorators": true` in
 * `tsconfig.json`.
 *
 * Standard decorators know neither parameters nor prototypes.
 */
export const StandardDecorators = createError<[decorator: string]>(
  'SVC_DECORATOR_STANDARD',
  '%s was applied as a standard decorator; set "experimentalDecorators": true under compilerOptions in tsconfig.json',
  500,
  TypeError
)
