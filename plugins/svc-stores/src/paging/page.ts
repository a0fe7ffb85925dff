/** Pages of a listing: a limit, an offset, and whether another page follows. Never a full load. */

export type Direction = 'ASC' | 'DESC'

export type SortKey<Field extends string = string> = readonly [field: Field, direction: Direction]

export interface PageQuery<Field extends string = string> {
  /** 1 to 1000; 50 unless told. */
  readonly limit?: number
  /** 0 unless told. */
  readonly offset?: number
  /** Ties are broken by id, ascending, so that no record is shown twice or skipped. */
  readonly order?: readonly SortKey<Field>[]
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly limit: number
  readonly offset: number
  readonly hasNext: boolean
}

/** What a listing can be sorted by, and its order when none is asked for. No nullable field is sortable. */
export interface SortFields<Field extends string = string> {
  readonly fields: readonly Field[]
  readonly fallback: SortKey<Field>
}
