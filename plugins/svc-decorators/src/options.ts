/** The options of svc-decorators. Controller classes are live objects and are passed beside them. */
import type { OptionsOf } from 'svc-kernel'

export const optionsSchema = {
  $id: 'svc-decorators/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Folder of controller files, relative to the application; every exported class with `@controller` is loaded. */
    dir: { type: 'string', minLength: 1 },
    websocket: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        /**
         * Largest WebSocket message, in bytes; a larger one closes the socket with 1009. The default, 1 MiB, is that
         * of an HTTP body.
         */
        maxPayload: { type: 'integer', minimum: 1, default: 1_048_576 }
      }
    }
  }
} as const

/**
 * Options of svc-decorators as an application passes them: defaults and bounds are in `docs/reference/options.md`. An
 * unknown key ends the boot.
 */
export type SvcDecoratorsOptions = OptionsOf<typeof optionsSchema>
