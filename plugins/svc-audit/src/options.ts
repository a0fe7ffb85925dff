/** The options of svc-audit. Live objects are passed under `parts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import { storeOption } from 'svc-stores/options'
import type { AuditStore } from './storage/audit-store.ts'

export const optionsSchema = {
  $id: 'svc-audit/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Where events are stored. */
    store: storeOption,
    /**
     * `relaxed` stores events after the answer is sent. `strict` sends an answer only after the events of its
     * request, and the webhook deliveries that follow from them, are stored.
     */
    durability: { enum: ['relaxed', 'strict'], default: 'relaxed' },
    /** How long events are stored, in days; 0 keeps them forever. */
    retentionDays: { type: 'integer', minimum: 0, maximum: 36_500, default: 365 }
  }
} as const

/**
 * Options of svc-audit as an application passes them: defaults and bounds are in `docs/reference/options.md`. An
 * unknown key ends the boot.
 */
export type SvcAuditOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type AuditConfig = ConfigOf<typeof optionsSchema>

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcAuditParts {
  readonly clock?: Clock
  /** A ready store; it takes precedence over `store`. */
  readonly stores?: { readonly audit?: AuditStore }
}
