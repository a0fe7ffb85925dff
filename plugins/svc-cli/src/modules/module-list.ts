/** Where the module list and each of its entries are in the text of a config file. Pure; `null` when unsure. */

export interface ListedEntry {
  /** Name under which the plugin is imported; `null` for an expression, such as the call of a function. */
  readonly name: string | null
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

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** Whether an entry is one call, awaited or not: one module. Of a spread or a condition the text does not say how many. */
function isCall(words: readonly Word[], start: number): boolean {
  const at = words[start]?.text === 'await' ? start + 1 : start
  if (!IDENTIFIER.test(words[at]?.text ?? '') || words[at + 1]?.text !== '(') return false
  let depth = 0
  for (let index = at + 1; index < words.length; index += 1) {
    const { text } = words[index] as Word
    if (OPENING.has(text)) depth += 1
    else if (CLOSING.has(text)) depth -= 1
    if (depth === 0) return [',', ']'].includes(words[index + 1]?.text ?? '')
  }
  return false
}

function listOf(text: string, words: readonly Word[], { key, starts, close }: Found): ModuleList | null {
  const entries = starts.map((index) => {
    const first = words[index] as Word
    const at = first.text === '[' ? index + 1 : index
    const name = words[at]?.text ?? ''
    if (IDENTIFIER.test(name) && [',', ']'].includes(words[at + 1]?.text ?? '')) return { name, start: first.at }
    return isCall(words, index) ? { name: null, start: first.at } : null
  })
  if (!entries.every((entry) => entry !== null)) return null
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
