/** Where the module list and each of its entries are in the text of a config file. Pure; `null` when unsure. */

export interface ListedEntry {
  /** Name under which the plugin is imported. */
  readonly name: string
  /** Offset of its first character. */
  readonly start: number
}

export interface ModuleList {
  /** Of the word `modules`, from 1. */
  readonly line: number
  readonly entries: readonly ListedEntry[]
  /** Offset of the closing bracket. */
  readonly end: number
  /** Whether a comma follows the last entry. */
  readonly trailingComma: boolean
}

interface Word {
  readonly text: string
  readonly at: number
}

const WORDS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|[\w$]+|[^\s\w$]/g
const OPENING = new Set(['(', '[', '{'])
const CLOSING = new Set([')', ']', '}'])

/** The line of the word `modules`, from 1, or `null`. */
export function moduleListLine(text: string): number | null {
  const words = wordsOf(text)
  const key = words.findIndex((word, index) => word.text === 'modules' && words[index + 1]?.text === ':')
  const word = words[key]
  return word === undefined ? null : lineOf(text, word.at)
}

/** `null` where the list is not written out in this file, or holds more than plugins and `[plugin, options]`. */
export function findModuleList(text: string): ModuleList | null {
  const words = wordsOf(text)
  const keys = words.flatMap((word, index) =>
    word.text === 'modules' && words[index + 1]?.text === ':' && words[index + 2]?.text === '[' ? [index] : []
  )
  const [key] = keys
  if (key === undefined || keys.length > 1) return null
  const starts: number[] = []
  let depth = 0
  for (let index = key + 2; index < words.length; index += 1) {
    const { text: word } = words[index] as Word
    const before = words[index - 1]?.text
    if (depth === 1 && word !== ',' && !CLOSING.has(word) && (index === key + 3 || before === ',')) starts.push(index)
    if (OPENING.has(word)) depth += 1
    else if (CLOSING.has(word)) depth -= 1
    if (depth === 0) return listOf(text, words, { key, starts, close: index })
  }
  return null
}

interface Found {
  readonly key: number
  readonly starts: readonly number[]
  readonly close: number
}

function listOf(text: string, words: readonly Word[], { key, starts, close }: Found): ModuleList | null {
  const entries = starts.map((index) => {
    const first = words[index] as Word
    const name = first.text === '[' ? words[index + 1]?.text : first.text
    return { name: name ?? '', start: first.at }
  })
  if (entries.some(({ name }) => !/^[A-Za-z_$][\w$]*$/.test(name))) return null
  return {
    line: lineOf(text, words[key]?.at ?? 0),
    entries,
    end: words[close]?.at ?? text.length,
    trailingComma: words[close - 1]?.text === ','
  }
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORDS)]
    .filter(([word]) => !word.startsWith('//') && !word.startsWith('/*'))
    .map((match) => ({ text: match[0], at: match.index }))
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
