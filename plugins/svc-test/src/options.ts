/** The options of svc-test. Live objects are passed under `parts`, see `SvcTestParts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'

export const optionsSchema = {
  $id: 'svc-test/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Messages that the receiver keeps; beyond that, it drops the oldest. */
    maxReceived: { type: 'integer', minimum: 1, maximum: 10_000, default: 100 },
    /** Allowed age of a message, in seconds. */
    toleranceS: { type: 'integer', minimum: 1, maximum: 86_400, default: 300 }
  }
} as const

/**
 * Options of svc-test as an application passes them: defaults and bounds are in `docs/reference/options.md`. An
 * unknown key ends the boot.
 */
export type SvcTestOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type TestConfig = ConfigOf<typeof optionsSchema>

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcTestParts {
  readonly clock?: Clock
}
