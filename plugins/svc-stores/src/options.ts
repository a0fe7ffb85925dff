/** The options of svc-stores. Live objects are passed under `parts`, see `SvcStoresParts`. */
import type { Clock, OptionsOf } from 'svc-kernel'
import type { ReadyStores } from './selection/stores.ts'

export const optionsSchema = {
  $id: 'svc-stores/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /**
     * The driver that `auto` chooses if several are loaded. Without it, the first with a declared database, else SQL.
     */
    primary: { type: 'string', minLength: 1 }
  }
} as const

/**
 * Options of svc-stores as an application passes them: defaults and bounds are in `docs/reference/options.md`. An
 * unknown key ends the boot.
 */
export type SvcStoresOptions = OptionsOf<typeof optionsSchema>

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcStoresParts {
  readonly clock?: Clock
  /** Ready store objects by store name; they take precedence over every selection. */
  readonly stores?: ReadyStores
}

/** The `store` key of a plugin's options: `{ store: storeOption }` in its schema. */
export const storeOption = { enum: ['auto', 'memory', 'sqlorm', 'docdb'], default: 'auto' } as const
