/** Positional parts of update paths: `$`, `$[]` and `$[name]` into the positions they stand for in one document. */
import { CommandError } from '../failure/command-error.ts'
import { type Condition, matchedPosition, parseFilter } from '../query/filter.ts'
import { type Document, isDocument, type Value } from '../values/value.ts'
import { readAt } from './target.ts'

export interface Positions {
  /** The filter that found the document, for `$`. */
  readonly query: Document
  /** Conditions on elements by name, for `$[name]`. */
  readonly arrayFilters: ReadonlyMap<string, Condition>
}

/** Conditions on elements by name. @throws CommandError 9 for two names in one filter, or one name twice */
export function readArrayFilters(filters: readonly Document[]): Map<string, Condition> {
  const named = new Map<string, Condition>()
  for (const filter of filters) {
    const names = new Set(topFields(filter).map((path) => path.split('.')[0] ?? ''))
    const [name] = names
    if (name === undefined || names.size !== 1) {
      throw new CommandError(9, 'Error parsing array filter :: caused by :: Expected a single top-level field name')
    }
    if (named.has(name)) {
      throw new CommandError(9, `Found multiple array filters with the same top-level field name ${name}`)
    }
    named.set(name, parseFilter(filter))
  }
  return named
}

function topFields(filter: Document): string[] {
  return [...filter].flatMap(([name, operand]) => {
    if (!name.startsWith('$')) return [name]
    return Array.isArray(operand) ? operand.filter(isDocument).flatMap(topFields) : []
  })
}

/** @throws CommandError 9 for a filter that no path names, 2 for a name without a filter */
export function checkArrayFilters(
  paths: readonly (readonly string[])[],
  filters: ReadonlyMap<string, Condition>
): void {
  const used = new Set(paths.flat().flatMap((part) => nameOf(part) ?? []))
  for (const name of filters.keys()) {
    if (used.has(name)) continue
    throw new CommandError(9, `The array filter for identifier '${name}' was not used in the update`)
  }
  for (const name of used) {
    if (name !== '' && !filters.has(name)) throw new CommandError(2, `No array filter found for identifier '${name}'`)
  }
}

/** The concrete paths in this document; none when a condition holds for no element. */
export function concretePaths(document: Document, parts: readonly string[], positions: Positions): string[][] {
  const at = parts.findIndex((part) => part.startsWith('$') && (part === '$' || nameOf(part) !== null))
  if (at < 0) return [[...parts]]
  const [before, part = '', after] = [parts.slice(0, at), parts[at], parts.slice(at + 1)]
  const array = readAt(document, before)
  if (!Array.isArray(array)) {
    if (part === '$') throw noMatch()
    throw new CommandError(
      2,
      `The path '${before.join('.')}' must exist in the document in order to apply array updates.`
    )
  }
  return chosen(array, part, before, positions).flatMap((index) =>
    concretePaths(document, [...before, String(index), ...after], positions)
  )
}

function chosen(
  array: readonly Value[],
  part: string,
  before: readonly string[],
  { query, arrayFilters }: Positions
): number[] {
  if (part === '$') {
    const position = matchedPosition(query, before.join('.'), array)
    if (position < 0) throw noMatch()
    return [position]
  }
  const name = nameOf(part) ?? ''
  const condition = arrayFilters.get(name)
  const holds = (value: Value) => name === '' || condition?.matches(new Map([[name, value]])) === true
  return array.flatMap((value, index) => (holds(value) ? [index] : []))
}

function noMatch(): CommandError {
  return new CommandError(2, 'The positional operator did not find the match needed from the query.')
}

/** `x` of `$[x]`, the empty name of `$[]`, null of anything else. */
function nameOf(part: string): string | null {
  return /^\$\[(.*)\]$/.exec(part)?.[1] ?? null
}
