/** Sort specifications: `{ a: 1, 'b.c': -1 }` into a comparison of documents. An array sorts by its smallest, or largest, element. */
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { compareValues } from '../values/compare-values.ts'
import { toDouble } from '../values/numbers.ts'
import { type Document, isDocument, isNumber, type Value } from '../values/value.ts'
import { valuesAt } from './paths.ts'

export interface SortField {
  readonly path: string
  readonly direction: 1 | -1
}

/** @throws CommandError 15975 for a direction other than 1 and -1, 15998 and 16410 for a path that is none */
export function parseSort(specification: Document): SortField[] {
  return [...specification].map(([path, direction]) => {
    if (path === '' || path.startsWith('.') || path.endsWith('.')) {
      throw new CommandError(15998, 'FieldPath must not begin or end with a dot, and must not be empty')
    }
    if (path.startsWith('$') && path !== '$natural') {
      throw new CommandError(16410, `FieldPath field names may not start with '$': ${path}`)
    }
    return { path, direction: directionOf(direction) }
  })
}

function directionOf(value: Value): 1 | -1 {
  if (isDocument(value)) throw notImplemented('sorting by $meta')
  if (!isNumber(value)) throw new CommandError(15974, 'Illegal key in $sort specification: its value must be 1 or -1')
  const direction = toDouble(value)
  if (direction === 1 || direction === -1) return direction
  throw new CommandError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)')
}

/** A stable order; the keys of each document are computed once. */
export function sortDocuments<Item>(
  items: readonly Item[],
  fields: readonly SortField[],
  documentOf: (item: Item) => Document
): Item[] {
  const split = fields.map(({ path, direction }) => ({ parts: path.split('.'), direction }))
  const keyed = items.map((item) => {
    const document = documentOf(item)
    return { item, keys: split.map(({ parts, direction }) => sortKey(document, parts, direction)) }
  })
  keyed.sort((a, b) => {
    for (const [index, { direction }] of fields.entries()) {
      const difference = compareValues(a.keys[index], b.keys[index]) * direction
      if (difference !== 0) return difference
    }
    return 0
  })
  return keyed.map(({ item }) => item)
}

/** An empty array gives `undefined`, which sorts before the null of an absent field. */
function sortKey(document: Document, parts: readonly string[], direction: 1 | -1): Value | undefined {
  const found = valuesAt(document, parts)
  const keys = found.flatMap((value): (Value | undefined)[] => {
    if (!Array.isArray(value)) return [value ?? null]
    return value.length === 0 ? [undefined] : value
  })
  const [first, ...rest] = found.length === 0 ? [null] : keys
  return rest.reduce((best, key) => (compareValues(key, best) * direction < 0 ? key : best), first)
}
