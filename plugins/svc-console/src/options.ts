/** The options of svc-console. */
import type { ConfigOf, OptionsOf } from 'svc-kernel'

export const optionsSchema = {
  $id: 'svc-console/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Path of the console; svc-security's built-in zone covers the default, another path needs a zone. */
    path: { type: 'string', pattern: '^(?:/[A-Za-z0-9._~-]+)+$', default: '/svc/console' }
  }
} as const

/**
 * Options of svc-console as an application passes them: defaults and bounds are in `docs/reference/options.md`. An
 * unknown key ends the boot.
 */
export type SvcConsoleOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type ConsoleConfig = ConfigOf<typeof optionsSchema>
