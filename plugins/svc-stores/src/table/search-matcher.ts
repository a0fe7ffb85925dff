/** Words that are searched for, among those that columns of a row hold. Pure. */
import type { SearchCondition } from './condition.ts'
import { countWord, type SearchedWord } from './words.ts'

/** @returns whether the columns of a row hold every word, each in any of them */
export function searchMatcher({
  columns,
  words
}: SearchCondition): (row: Readonly<Record<string, unknown>>) => boolean {
  return (row) => {
    const held = columns.flatMap((column) => heldWords(row[column]))
    return words.every((word) => countWord(word, held) > 0)
  }
}

/** How often a column has any of the words. */
export function occurrences(held: unknown, words: readonly SearchedWord[]): number {
  const own = heldWords(held)
  return words.reduce((sum, word) => sum + countWord(word, own), 0)
}

function heldWords(held: unknown): readonly string[] {
  return typeof held === 'string' && held !== '' ? held.split(' ') : []
}
