/**
 * A comma that is missing between two entries of `modules`. It is no syntax error: `[a, {}] [b, {}]` reads a key of the
 * first list, so that both entries become `undefined`, or the next reading throws.
 */
import type { Problem } from 'svc-kernel'
import { lineOf, locateKey, wordsOf } from './locate-option.ts'
import type { ConfigText } from './locate-problems.ts'

/** @returns `null` where the text shows no such place */
export function missingCommaProblem({ file, text }: ConfigText): Problem | null {
  const words = wordsOf(text)
  const line = lineOf(
    text,
    words[
      endWithoutComma(
        words.map((word) => word.text),
        locateKey(words, 'modules')
      )
    ]
  )
  if (line === null) return null
  return {
    code: 'SVC_MODULE_INVALID',
    message: 'a comma is missing after an entry of modules, so JavaScript reads it and the next entry as one',
    at: `${file}:${line}  modules`,
    got: 'entry [next entry]',
    expected: 'entry, [next entry]',
    fix: `put a comma at the end of line ${line}`
  }
}

/** The last word of an entry that a list follows at once; -1 where there is none. @param key the word `modules` */
function endWithoutComma(words: readonly string[], key: number): number {
  const open = key === -1 ? -1 : words.indexOf('[', key)
  let depth = 0
  for (let index = open; index !== -1 && index < words.length; index += 1) {
    const word = words[index] as string
    if (word === '[' && depth === 1 && /[\w$\])}]$/.test(words[index - 1] ?? '') && !isOperator(words[index - 1])) {
      return index - 1
    }
    if ('([{'.includes(word)) depth += 1
    else if (')]}'.includes(word)) depth -= 1
    if (depth === 0) return -1
  }
  return -1
}

/** `await [...]` and the like begin their own list. */
function isOperator(word: string | undefined): boolean {
  return ['await', 'new', 'typeof', 'void'].includes(word ?? '')
}
