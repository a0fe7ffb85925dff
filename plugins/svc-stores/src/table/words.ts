/**
 * Words of texts as searches compare them. They are made here and stored beside the text, so that every engine finds the same
 * rows, whatever its own rules for words are. Pure.
 */

/** A word that is searched for. */
export interface SearchedWord {
  readonly word: string
  /** Also longer words that begin with it. Default `false`. */
  readonly prefix?: boolean
}

/** Letters, the marks on them, and digits; everything else is between words. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu
const PREFIX = /[\p{L}\p{M}\p{N}]\*\s*$/u
/** On Latin, Greek and Cyrillic letters. Marks of other scripts are vowels as well, and stay. */
const ACCENTS = /[\u0300-\u036f]/g

/** In code points: two words that differ behind them are one. */
const LONGEST_WORD = 60
/** A word counts at most so often in one text. */
const MOST_OF_ONE = 4
/** In UTF-16 units, with blanks: PostgreSQL takes a megabyte for all texts of an index together, of which there are up to four. */
const MOST_OF_ALL = 60_000
/** In UTF-16 units: what follows is not looked at. */
const LONGEST_TEXT = 1_000_000

/** The words of a text as a column of the type `words` holds them: in order, with a blank between them. */
export function wordsText(text: string): string {
  const counts = new Map<string, number>()
  const held: string[] = []
  let length = 0
  for (const word of wordsOf(text.slice(0, LONGEST_TEXT))) {
    const count = counts.get(word) ?? 0
    if (count === MOST_OF_ONE) continue
    length += word.length + 1
    if (length > MOST_OF_ALL) break
    counts.set(word, count + 1)
    held.push(word)
  }
  return held.join(' ')
}

/** The words of what is typed into a search box, each once; an `*` at its end makes the last one a prefix. None for a text without words. */
export function searchedWords(text: string): readonly SearchedWord[] {
  const words = [...wordsOf(text)]
  const last = PREFIX.test(text) ? words.pop() : undefined
  const whole = [...new Set(words)].map((word): SearchedWord => ({ word }))
  return last === undefined ? whole : [...whole, { word: last, prefix: true }]
}

/** How often a word occurs among those of a text. */
export function countWord({ word, prefix = false }: SearchedWord, words: readonly string[]): number {
  return words.filter((each) => (prefix ? each.startsWith(word) : each === word)).length
}

function* wordsOf(text: string): Generator<string> {
  for (const [word] of folded(text).matchAll(WORD)) {
    yield word.length <= LONGEST_WORD ? word : Array.from(word).slice(0, LONGEST_WORD).join('')
  }
}

/** Without case, accents and forms of letters: by way of capitals `ß` is `ss`, and both small sigmas are one. */
function folded(text: string): string {
  const letters = text.normalize('NFKD').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return letters.replace(ACCENTS, '').normalize('NFKC')
}
