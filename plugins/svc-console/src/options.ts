/** What an operator may set. */
import type { ConfigOf, OptionsOf } from 'svc-kernel'

export const optionsSchema = {
  $id: 'svc-console/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Where the console is served; svc-security's built-in zone covers the default, another path needs a zone. */
    path: { type: 'string', pattern: '^(?:/[A-Za-z0-9._~-]+)+$', default: '/svc/console' }
  }
} as const

export type SvcConsoleOptions = OptionsOf<typeof optionsSchema>

/** Options after the reader: completed with defaults and frozen. */
export type ConsoleConfig = ConfigOf<typeof optionsSchema>
