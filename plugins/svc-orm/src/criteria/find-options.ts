/** Options of `find`: as an application writes them, and after the parser. */
import type { FieldName } from './criteria.ts'

export type Direction = 'ASC' | 'DESC'

export interface FindOptions<Row> {
  /** At most so many rows; all unless told. */
  readonly limit?: number
  /** Rows left out first. Default 0. */
  readonly offset?: number
  /** Null sorts lowest, text by code point; ties, and rows without an order, by `id` ascending. */
  readonly order?: readonly (readonly [field: FieldName<Row>, direction: Direction])[]
  /**
   * Inside a transaction: the rows stay as they are read until it ends. Whoever else locks or changes them waits, or
   * one of the two runs again.
   */
  readonly lock?: 'update'
  /** Relations to load, one level deep. */
  readonly relations?: readonly (string extends keyof Row ? string : Exclude<keyof Row & string, FieldName<Row>>)[]
}

export interface SortKey {
  readonly field: string
  readonly direction: Direction
}

/** Parsed: `order` ends with `id`, a key that no two rows share. */
export interface ParsedFindOptions {
  readonly limit: number | null
  readonly offset: number
  readonly order: readonly SortKey[]
  readonly relations: readonly string[]
  readonly lock: boolean
}
