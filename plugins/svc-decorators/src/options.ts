/** What an operator may set. Controller classes are live objects and stand beside these options. */
import type { OptionsOf } from 'svc-kernel'

export const optionsSchema = {
  $id: 'svc-decorators/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Folder of controller files, relative to the application's root; every exported class with `@controller` is loaded. */
    dir: { type: 'string', minLength: 1 },
    websocket: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        /** Largest WebSocket message, in bytes; a larger one closes the socket with 1009. As for an HTTP body, 1 MiB. */
        maxPayload: { type: 'integer', minimum: 1, default: 1_048_576 }
      }
    }
  }
} as const

export type SvcDecoratorsOptions = OptionsOf<typeof optionsSchema>
