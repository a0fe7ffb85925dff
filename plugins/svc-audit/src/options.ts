/** What an operator may set. Live objects come under `parts`, see `SvcAuditParts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import { storeOption } from 'svc-stores/options'
import type { AuditStore } from './storage/audit-store.ts'

export const optionsSchema = {
  $id: 'svc-audit/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Where events are kept. */
    store: storeOption,
    /**
     * `relaxed`: events are written behind their requests. `strict`: no answer leaves before what its request recorded,
     * and the webhook deliveries that follow from it, are stored.
     */
    durability: { enum: ['relaxed', 'strict'], default: 'relaxed' },
    /** How long events are kept, in days; 0 keeps them for ever. */
    retentionDays: { type: 'integer', minimum: 0, maximum: 36_500, default: 365 }
  }
} as const

export type SvcAuditOptions = OptionsOf<typeof optionsSchema>

/** Options after the reader: completed with defaults and frozen. */
export type AuditConfig = ConfigOf<typeof optionsSchema>

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcAuditParts {
  readonly clock?: Clock
  /** A ready store; it wins over `store`. */
  readonly stores?: { readonly audit?: AuditStore }
}
