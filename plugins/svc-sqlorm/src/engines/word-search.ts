/** How an engine finds rows by the words of their columns, and says how well they fit. */
import type { Kysely, RawBuilder } from 'kysely'
import type { SearchedWord } from 'svc-stores/table'

/** An index with the method `words`. */
export interface WordIndex {
  readonly table: string
  readonly name: string
  readonly columns: readonly string[]
}

/** The rank of rows: what it takes in a `select` of the table. */
export interface RankedRows {
  /** Precedes the table in `from`, with what joins both; it leaves out rows without the words. `null`: nothing. */
  readonly join: { readonly before: RawBuilder<unknown>; readonly on: RawBuilder<unknown> } | null
  /** A number, greater for a row that fits better. */
  readonly rank: RawBuilder<number>
}

/** Each part takes the words once, as `encode` has them. */
export interface WordSearch {
  encode(words: readonly SearchedWord[]): string
  /** @param table the name of the rows, where another one is in scope */
  matches(index: WordIndex, table?: string): RawBuilder<boolean>
  /** @param weights of the columns */
  ranked(index: WordIndex, weights: readonly number[]): RankedRows
  /** Of rows that are there as well. */
  addIndex(db: Kysely<unknown>, index: WordIndex): Promise<void>
}
