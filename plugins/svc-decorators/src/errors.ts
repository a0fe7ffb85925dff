/** Every error svc-decorators can raise while it serves. A code, once published, never changes. */
import { createError } from '@fastify/error'

export const UpgradeRequired = createError<[path: string]>(
  'SVC_WS_UPGRADE_REQUIRED',
  '%s is a WEBSOCKET route; open it with a WebSocket client, such as: npx wscat -c ws://<host>:<port>/...',
  426,
  Error,
  false
)

export const HttpRoute = createError(
  'SVC_WS_HTTP_ROUTE',
  'this route answers plain requests, and opens no WebSocket',
  400,
  Error,
  false
)

export const InvalidHandshake = createError<[finding: string]>('SVC_WS_HANDSHAKE', '%s', 400, Error, false)

export const UnsupportedFrame = createError(
  'SVC_WS_BINARY',
  'this route takes text frames, not binary ones',
  415,
  Error,
  false
)

export const InvalidJsonMessage = createError('SVC_WS_JSON', 'the message is not valid JSON', 400, Error, false)

export const InvalidMessage = createError('SVC_WS_VALIDATION', 'the message is not valid', 400, Error, false)

export const UnsendableResult = createError(
  'SVC_WS_RESULT',
  'a stream cannot be the answer to a WebSocket message',
  500
)

/** The compiler applied TC39 decorators, which know neither parameters nor prototypes. */
export const StandardDecorators = createError<[decorator: string]>(
  'SVC_DECORATOR_STANDARD',
  '%s was applied as a standard decorator; set "experimentalDecorators": true under compilerOptions in tsconfig.json',
  500,
  TypeError
)
