/** Orders by how well rows fit the words that are searched for, as parts of a `select`. */
import { type RawBuilder, sql } from 'kysely'
import type { Condition, Order, RankedValue, SearchCondition, SortKey } from 'svc-stores/table'
import type { RankedRows, WordIndex, WordSearch } from '../engines/word-search.ts'
import { indexName } from '../schema/table-definition.ts'

type Sql = RawBuilder<unknown>

export type RankedKey = SortKey & { readonly by: RankedValue }

/** The rank among what is selected. No column has this name. */
export const RANK = 'search rank'

export function rankedKey(order: Order): RankedKey | undefined {
  return order.find((key): key is RankedKey => key.by?.kind === 'ranked')
}

/** The index of these columns. */
export function wordIndex(table: string, columns: readonly string[]): WordIndex {
  return { table, columns, name: indexName(table, { columns, method: 'words' }) }
}

export class RankedSql {
  /** Before those of conditions. */
  readonly parameters: readonly unknown[]
  readonly #by: RankedValue
  readonly #rows: RankedRows

  constructor(table: string, { by }: RankedKey, words: WordSearch) {
    const index = wordIndex(
      table,
      by.columns.map(({ column }) => column)
    )
    this.#by = by
    this.#rows = words.ranked(
      index,
      by.columns.map(({ weight }) => weight)
    )
    this.parameters = [words.encode(by.words)]
  }

  get selected(): Sql {
    return sql`${this.#rows.rank} as ${sql.ref(RANK)}`
  }

  from(table: Sql): Sql {
    const { join } = this.#rows
    return join === null ? table : sql`${join.before}${table} on ${join.on}`
  }

  /** Without those that the join sees to. */
  others(conditions: readonly Condition[]): readonly Condition[] {
    if (this.#rows.join === null) return conditions
    return conditions.filter((condition) => condition.operator !== 'search' || !this.#covers(condition))
  }

  #covers({ words }: SearchCondition): boolean {
    return words.every((word) => this.#by.words.some((each) => each.word === word.word && each.prefix === word.prefix))
  }
}
