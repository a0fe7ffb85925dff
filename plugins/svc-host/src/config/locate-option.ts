/**
 * Finds the line of an option in the text of a config file, by following the
 * keys of its path through the brackets of the text. A help for the eye: where
 * the text does not show a key (it was computed), the nearest one above it is named.
 */

export interface Word {
  readonly text: string
  readonly at: number
}

const OPENING = '([{'
const CLOSING = ')]}'
const WORDS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|[\w$]+|[^\s\w$]/g

/**
 * @param path `svc-security.areas.api.patern`, `server.port` or `modules[2]`
 * @returns a line counted from 1, or `null` when not even the module is found
 */
export function locateOption(text: string, path: string): number | null {
  const words = wordsOf(text)
  const [head = '', ...keys] = path.split(/\.|\[(\d+)\]/).filter((part) => part !== undefined && part !== '')
  const start = startOf(words, head)
  if (start === -1) return null
  return lineOf(text, words[follow(words, start, keys)])
}

/** The first key of this name, wherever it is; -1 where there is none. */
export function locateKey(words: readonly Word[], key: string): number {
  return words.findIndex((_word, index) => isKey(words, index, key))
}

/** Counted from 1. */
export function lineOf(text: string, word: Word | undefined): number | null {
  return word === undefined ? null : text.slice(0, word.at).split('\n').length
}

/** What a config is made of: names, texts and signs, without comments. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORDS)]
    .filter(([word]) => !word.startsWith('//') && !word.startsWith('/*'))
    .map((match) => ({ text: match[0], at: match.index }))
}

/** A key of the config itself, or the name of a module in the list. */
function startOf(words: readonly Word[], head: string): number {
  const config = locateKey(words, 'modules')
  const own = locateKey(words, head)
  if (['name', 'mode', 'server', 'modules'].includes(head)) return own
  const names = new Set([importedAs(words, head), camelCase(head)])
  const listed = words.findIndex(({ text }, index) => index > config && names.has(text))
  return listed === -1 ? own : listed
}

/** `import security from 'svc-security'`: the plugin's own name in this file. */
function importedAs(words: readonly Word[], plugin: string): string | undefined {
  const source = words.findIndex(({ text }) => unquoted(text) === plugin)
  return words[source - 1]?.text === 'from' ? words[source - 2]?.text : undefined
}

/** Walks down from the word at `start` as far as the text shows the keys. */
function follow(words: readonly Word[], start: number, keys: readonly string[]): number {
  let found = start
  let inside = start + 1
  for (const key of keys) {
    const from = openingAfter(words, inside)
    const next = /^\d+$/.test(key) ? itemOf(words, from, Number(key)) : keyOf(words, from, key)
    if (next === -1) break
    found = next
    inside = isKey(words, next, key) ? next + 1 : next
  }
  return found
}

/** The first bracket at or after `index`, past `:` and `,`. */
function openingAfter(words: readonly Word[], index: number): number {
  const at = words.findIndex(({ text }, position) => position >= index && text !== ':' && text !== ',')
  return OPENING.includes(words[at]?.text ?? ' ') ? at : -1
}

/** The index of `key` among the keys right inside the bracket at `from`. */
function keyOf(words: readonly Word[], from: number, key: string): number {
  return inside(words, from, (index) => isKey(words, index, key))
}

/** The index of the first word of item `count`. */
function itemOf(words: readonly Word[], from: number, count: number): number {
  if (count === 0) return CLOSING.includes(words[from + 1]?.text ?? ')') ? -1 : from + 1
  let commas = 0
  const comma = inside(words, from, (index) => {
    if (words[index]?.text === ',') commas += 1
    return commas === count
  })
  return comma === -1 ? -1 : comma + 1
}

/** The first index right inside the bracket at `from`, at no deeper level, that is wanted. */
function inside(words: readonly Word[], from: number, wanted: (index: number) => boolean): number {
  let depth = 0
  for (let index = from; from !== -1 && index < words.length; index += 1) {
    const { text } = words[index] as Word
    if (depth === 1 && wanted(index)) return index
    if (OPENING.includes(text)) depth += 1
    else if (CLOSING.includes(text)) depth -= 1
    if (depth === 0) return -1
  }
  return -1
}

function isKey(words: readonly Word[], index: number, key: string): boolean {
  const text = words[index]?.text
  if (text === undefined || unquoted(text) !== key) return false
  const next = words[index + 1]?.text
  // `{ port, host }` names its keys without a colon.
  return (
    next === ':' || (text === key && (next === ',' || next === '}') && '{,'.includes(words[index - 1]?.text ?? ' '))
  )
}

function unquoted(text: string): string {
  return /^['"]/.test(text) ? text.slice(1, -1) : text
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase())
}
