/** What a developer may set. Live objects come under `parts`, see `SvcTestParts`. */
import type { Clock, OptionsSchema } from 'svc-kernel'

export interface SvcTestOptions {
  /** Messages that the receiver remembers; the oldest give way. Default 100. */
  readonly maxReceived?: number
  /** How old a message may be, in seconds. Default 300. */
  readonly toleranceS?: number
}

export type TestConfig = Required<SvcTestOptions>

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcTestParts {
  readonly clock?: Clock
}

export const optionsSchema: OptionsSchema = {
  $id: 'svc-test/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    maxReceived: { type: 'integer', minimum: 1, maximum: 10_000, default: 100 },
    toleranceS: { type: 'integer', minimum: 1, maximum: 86_400, default: 300 }
  }
}
