/** What a developer may set. Live objects come under `parts`, see `SvcTestParts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'

export const optionsSchema = {
  $id: 'svc-test/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Messages that the receiver remembers; beyond, the oldest are dropped. */
    maxReceived: { type: 'integer', minimum: 1, maximum: 10_000, default: 100 },
    /** How old a message may be, in seconds. */
    toleranceS: { type: 'integer', minimum: 1, maximum: 86_400, default: 300 }
  }
} as const

export type SvcTestOptions = OptionsOf<typeof optionsSchema>

/** Options after the reader: completed with defaults and frozen. */
export type TestConfig = ConfigOf<typeof optionsSchema>

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcTestParts {
  readonly clock?: Clock
}
