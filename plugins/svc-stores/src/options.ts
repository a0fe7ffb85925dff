/** What an operator may set. Live objects come under `parts`, see `SvcStoresParts`. */
import type { Clock, OptionsSchema } from 'svc-kernel'
import type { ReadyStores } from './selection/stores.ts'

export interface SvcStoresOptions {
  /** The driver that `auto` follows where several are loaded. Default: the one whose database is declared, else SQL. */
  readonly primary?: string
}

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcStoresParts {
  readonly clock?: Clock
  /** Ready store objects by brick; they win over every selection. */
  readonly stores?: ReadyStores
}

export const optionsSchema: OptionsSchema = {
  $id: 'svc-stores/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    primary: { type: 'string', minLength: 1 }
  }
}

/** The `store` key of every consumer's options: `{ store: storeOption }` in its schema. */
export const storeOption = { enum: ['auto', 'memory', 'sqlorm', 'docdb'], default: 'auto' } as const
