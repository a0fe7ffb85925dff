/**
 * Words on PostgreSQL: each column is a `tsvector` that is made here, so that no configuration of the server decides what a
 * word is. The index is of all columns together, each under a label, whose weight the rank gives.
 */
import { type RawBuilder, sql } from 'kysely'
import type { WordIndex, WordSearch } from '../word-search.ts'

/** Of the first column, the second, and so on. */
const LABELS = ['A', 'B', 'C', 'D']

/** Longer texts count less, by the logarithm of their length. */
const BY_LENGTH = 1

export const postgresWords: WordSearch = {
  // Words are letters and digits: in quotes none of them is syntax.
  encode: (words) => words.map(({ word, prefix = false }) => `'${word}'${prefix ? ':*' : ''}`).join(' & '),
  matches: (index, table) => sql<boolean>`(${vector(index, table)}) @@ cast(${sql.val(null)} as tsquery)`,
  ranked: (index, weights) => {
    const greatest = Math.max(...weights)
    // From the last label to the first; none is above 1.
    const shares = LABELS.map((_, place) => (weights[place] ?? 0) / greatest).toReversed()
    const text = sql.lit(`{${shares.join()}}`)
    const words = sql`cast(${sql.val(null)} as tsquery)`
    return {
      join: null,
      rank: sql<number>`ts_rank(cast(${text} as real[]), ${vector(index, index.table)}, ${words}, ${sql.lit(BY_LENGTH)})`
    }
  },
  async addIndex(db, index) {
    await sql`create index ${sql.ref(index.name)} on ${sql.table(index.table)} using gin ((${vector(index)}))`.execute(
      db
    )
  }
}

/** How many rows have words differs by the words: a plan for any of them reads all rows by their order. */
export function searchesWords(statement: string): boolean {
  return statement.includes(' as tsquery)')
}

/** As the index has it, to the letter. */
function vector({ columns }: WordIndex, table?: string): RawBuilder<unknown> {
  const parts = columns.map((column, place) => {
    const held = sql.ref(table === undefined ? column : `${table}.${column}`)
    return sql`setweight(coalesce(${held}, ''), ${sql.lit(LABELS[place] as string)})`
  })
  return sql.join(parts, sql` || `)
}

/** What a column of words holds, as text of a `tsvector`: each word with its places. */
export function vectorText(words: string): string {
  const places = new Map<string, number[]>()
  for (const [place, word] of words === '' ? [] : words.split(' ').entries()) {
    places.set(word, [...(places.get(word) ?? []), place + 1])
  }
  return [...places].map(([word, own]) => `'${word}':${own.join()}`).join(' ')
}
