/** What an operator may set. Live objects come under `parts`, see `SvcAuditParts`. */
import type { Clock, OptionsSchema } from 'svc-kernel'
import { type AuditStore, storeOption } from 'svc-stores'

export interface SvcAuditOptions {
  /** Where events are kept. Default `auto`. */
  readonly store?: 'auto' | 'memory' | 'sqlorm' | 'docdb'
  /** How long events are kept, in days; 0 keeps them for ever. Default 365. */
  readonly retentionDays?: number
}

/** Options after the reader: completed with defaults and frozen. */
export interface AuditConfig {
  readonly store: string
  readonly retentionDays: number
}

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcAuditParts {
  readonly clock?: Clock
  /** A ready store; it wins over `store`. */
  readonly stores?: { readonly audit?: AuditStore }
}

export const optionsSchema: OptionsSchema = {
  $id: 'svc-audit/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    store: storeOption,
    retentionDays: { type: 'integer', minimum: 0, maximum: 36_500, default: 365 }
  }
}
