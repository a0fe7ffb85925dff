/** What an operator may set. Controller classes are live objects and stand beside these options. */

/** Largest WebSocket message taken, in bytes: 1 MiB, as for an HTTP body. */
const MAX_PAYLOAD = 1_048_576

export interface SvcDecoratorsOptions {
  /** Folder of controller files, relative to the application's root. */
  dir?: string
  websocket?: {
    /** Largest message, in bytes; a larger one closes the socket with 1009. Default 1 MiB. */
    maxPayload?: number
  }
}

export const optionsSchema = {
  $id: 'svc-decorators/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    dir: { type: 'string', minLength: 1 },
    websocket: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        maxPayload: { type: 'integer', minimum: 1, default: MAX_PAYLOAD }
      }
    }
  }
} as const
