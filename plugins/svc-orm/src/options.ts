/** What an operator may set. Live objects come under `parts`, see `SvcOrmParts`. */
import type { Clock, OptionsSchema } from 'svc-kernel'
import type { EntitySource } from './entity/declared.ts'

export interface SvcOrmOptions {
  /** Folder of entity files, relative to the application; every file in it is loaded. Default: none. */
  readonly dir?: string
  /** Adds a connector `memory` that keeps rows in this process, for tests and first steps. Default `false`. */
  readonly memory?: boolean
  /** The statistics of operations. */
  readonly flow?: {
    /** Default `true`. */
    readonly enabled?: boolean
    /** An operation that takes as long is listed as slow, in milliseconds. Default 100. */
    readonly slowMs?: number
  }
}

/** Options after the reader: completed with defaults and frozen. */
export interface OrmConfig {
  readonly dir?: string
  readonly memory: boolean
  readonly flow: { readonly enabled: boolean; readonly slowMs: number }
}

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcOrmParts {
  readonly clock?: Pick<Clock, 'now'>
  /** Entities of this application alone, on the default connector, besides those declared with `@entities`. */
  readonly entities?: readonly EntitySource[]
}

export const optionsSchema: OptionsSchema = {
  $id: 'svc-orm/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    dir: { type: 'string', minLength: 1, expected: 'a folder' },
    memory: { type: 'boolean', default: false },
    flow: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        enabled: { type: 'boolean', default: true },
        slowMs: { type: 'number', minimum: 0, default: 100 }
      }
    }
  }
}
