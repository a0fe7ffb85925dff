/** What an operator may set. Live objects come under `parts`, see `SvcStoresParts`. */
import type { Clock, OptionsOf } from 'svc-kernel'
import type { ReadyStores } from './selection/stores.ts'

export const optionsSchema = {
  $id: 'svc-stores/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** The driver that `auto` follows where several are loaded. Without it, the first whose database is declared, else SQL. */
    primary: { type: 'string', minLength: 1 }
  }
} as const

export type SvcStoresOptions = OptionsOf<typeof optionsSchema>

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcStoresParts {
  readonly clock?: Clock
  /** Ready store objects by brick; they win over every selection. */
  readonly stores?: ReadyStores
}

/** The `store` key of every consumer's options: `{ store: storeOption }` in its schema. */
export const storeOption = { enum: ['auto', 'memory', 'sqlorm', 'docdb'], default: 'auto' } as const
