/** Paths into `json` fields: keys and positions, parted by dots; `\\` before a dot or a `\\` makes it part of a key. Pure. */
import { hasOnlyStorableText } from 'svc-stores/table'
import type { CompiledField } from '../entities/compiled-entity.ts'
import { InvalidCriteria } from '../errors.ts'

const MOST_PARTS = 20
/** Read as a position by one engine and as a key by another, unless it is written as positions are. */
const NUMBER = /^\s*[+-]?\d+\s*$/
const POSITION = /^(?:0|[1-9]\d*)$/

export function isJson({ fieldType, array }: CompiledField): boolean {
  return fieldType.storage === 'json' && !array
}

/** @param text what follows the name of the field @throws InvalidCriteria */
export function parsePath(text: string, at: string): readonly string[] {
  if (!/^(?:[^\\]|\\[.\\])*$/s.test(text)) throw new InvalidCriteria(at, 'a path with \\ before . or \\ alone')
  const path = ['']
  for (const [token] of text.matchAll(/\\.|[^\\]/gs)) {
    if (token === '.') path.push('')
    else path[path.length - 1] += token.length > 1 ? token.slice(1) : token
  }
  if (path.length > MOST_PARTS) throw new InvalidCriteria(at, `a path of at most ${MOST_PARTS} keys`)
  for (const part of path) {
    if (part === '' || !hasOnlyStorableText(part)) {
      throw new InvalidCriteria(at, 'keys that are not empty, without NUL or lone surrogates')
    }
    if (NUMBER.test(part) && !POSITION.test(part)) {
      throw new InvalidCriteria(at, 'positions from 0, without sign, blanks and leading zeros')
    }
  }
  return path
}
