/**
 * Projections: `{ a: 1, 'b.c': 1 }` or `{ a: 0 }`, with `$slice`, `$elemMatch` and the positional `$`. Fields keep the
 * order they have in the document, whatever the order asked for.
 */
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { toDouble, truthy } from '../values/numbers.ts'
import { type Document, firstName, isDocument, isNumber, type Value } from '../values/value.ts'
import { elementTest, matchedPosition } from './filter.ts'
import type { ValueTest } from './operators.ts'

/** What happens to one field: kept, dropped, entered, its array cut, or one element of it kept. */
type Branch =
  | { readonly kind: 'keep' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'enter'; readonly fields: Map<string, Branch> }
  | { readonly kind: 'slice'; readonly skip: number; readonly limit: number }
  | { readonly kind: 'elemMatch'; readonly test: ValueTest }
  | { readonly kind: 'positional' }

interface Projection {
  readonly including: boolean
  readonly fields: ReadonlyMap<string, Branch>
  readonly id: boolean
  /** That found the document, for the positional `$`. */
  readonly filter: Document
}

/**
 * @throws CommandError 31253, 31254 for a mixture, 31249, 31250 for paths in conflict, 238 for computed fields; the
 * result throws 51246 when the positional `$` finds no match
 */
export function projector(specification: Document, filter: Document): (document: Document) => Document {
  if (specification.size === 0) return (document) => document
  const projection = readProjection(specification, filter)
  return (document) => {
    const rest = projectFields(document, projection.fields, projection, '')
    rest.delete('_id')
    const id = document.get('_id')
    return new Map(id !== undefined && projection.id ? [['_id', id], ...rest] : rest)
  }
}

function readProjection(specification: Document, filter: Document): Projection {
  const fields = new Map<string, Branch>()
  let mode: boolean | null = null
  let id: Value | undefined
  for (const [path, operand] of flatten(specification)) {
    if (path === '_id') {
      id = operand
      continue
    }
    const branch = readBranch(path, operand)
    if (branch.kind !== 'slice') mode = agreed(mode, branch.kind !== 'drop', path)
    place(fields, branch.kind === 'positional' ? path.slice(0, -2) : path, branch)
  }
  const including = mode ?? (fields.size === 0 && truthy(id))
  return { including, fields, id: id === undefined || truthy(id), filter }
}

function agreed(mode: boolean | null, including: boolean, path: string): boolean {
  if (mode === null || mode === including) return including
  throw including
    ? new CommandError(31253, `Cannot do inclusion on field ${path} in exclusion projection`)
    : new CommandError(31254, `Cannot do exclusion on field ${path} in inclusion projection`)
}

/** `{ a: { b: 1 } }` is `{ 'a.b': 1 }`. */
function flatten(projection: Document, prefix = ''): [string, Value][] {
  return [...projection].flatMap(([name, operand]): [string, Value][] => {
    if (name === '') throw new CommandError(40352, 'FieldPath cannot be constructed with empty string')
    if (name.startsWith('$')) throw new CommandError(16410, `FieldPath field names may not start with '$': ${name}`)
    const nested = isDocument(operand) && operand.size > 0 && !firstName(operand).startsWith('$')
    return nested ? flatten(operand, `${prefix}${name}.`) : [[prefix + name, operand]]
  })
}

function readBranch(path: string, operand: Value): Branch {
  if (isDocument(operand)) {
    const [[name, argument] = ['', null]] = operand
    if (name === '$slice') return readSlice(argument)
    if (name === '$elemMatch') {
      if (path.includes('.')) throw new CommandError(31275, 'Cannot use $elemMatch projection on a nested field')
      return { kind: 'elemMatch', test: elementTest(argument) }
    }
  }
  if (!isNumber(operand) && typeof operand !== 'boolean') {
    throw notImplemented(`the computed field '${path}' in a projection`)
  }
  if (!path.endsWith('.$')) return { kind: truthy(operand) ? 'keep' : 'drop' }
  if (!truthy(operand)) throw new CommandError(31395, 'positional projection cannot be used with exclusion')
  return { kind: 'positional' }
}

function readSlice(argument: Value): Branch {
  const numbers = (Array.isArray(argument) ? argument : [argument]).map(toDouble)
  const [first = Number.NaN, second] = numbers
  if (!numbers.every(Number.isInteger) || numbers.length > 2) throw new CommandError(28667, 'Invalid $slice syntax')
  if (!Array.isArray(argument)) return { kind: 'slice', skip: Math.min(first, 0), limit: Math.abs(first) }
  if (second === undefined || second <= 0) throw new CommandError(28724, 'Third argument to $slice must be positive')
  return { kind: 'slice', skip: first, limit: second }
}

function place(fields: Map<string, Branch>, path: string, branch: Branch): void {
  const [name = '', ...rest] = path.split('.')
  const there = fields.get(name)
  if (rest.length === 0) {
    if (there !== undefined) throw new CommandError(31250, `Path collision at ${path}`)
    fields.set(name, branch)
    return
  }
  if (there !== undefined && there.kind !== 'enter') {
    throw new CommandError(31249, `Path collision at ${path} remaining portion ${rest.join('.')}`)
  }
  const inner = there ?? { kind: 'enter', fields: new Map<string, Branch>() }
  fields.set(name, inner)
  place(inner.fields, rest.join('.'), branch)
}

function projectFields(
  document: Document,
  fields: ReadonlyMap<string, Branch>,
  projection: Projection,
  prefix: string
): Document {
  const result: Document = new Map()
  for (const [name, value] of document) {
    const branch = fields.get(name) ?? { kind: projection.including ? 'drop' : 'keep' }
    const projected = projectValue(value, branch, projection, prefix + name)
    if (projected !== undefined) result.set(name, projected)
  }
  return result
}

function projectValue(value: Value, branch: Branch, projection: Projection, path: string): Value | undefined {
  switch (branch.kind) {
    case 'keep':
      return value
    case 'drop':
      return undefined
    case 'enter':
      return enter(value, branch.fields, projection, path)
    case 'slice':
      return Array.isArray(value) ? slice(value, branch.skip, branch.limit) : value
    case 'positional':
      return Array.isArray(value) ? [matched(value, projection.filter, path)] : value
    case 'elemMatch': {
      const found = Array.isArray(value) ? value.find((item) => branch.test(item)) : undefined
      return found === undefined ? undefined : [found]
    }
  }
}

function enter(
  value: Value,
  fields: ReadonlyMap<string, Branch>,
  projection: Projection,
  path: string
): Value | undefined {
  if (isDocument(value)) return projectFields(value, fields, projection, `${path}.`)
  if (!Array.isArray(value)) return projection.including ? undefined : value
  return value.flatMap((item): Value[] => {
    const entered = enter(item, fields, projection, path)
    return entered === undefined ? [] : [entered]
  })
}

function slice(items: readonly Value[], skip: number, limit: number): Value[] {
  const begin = skip < 0 ? Math.max(items.length + skip, 0) : skip
  return items.slice(begin, begin + limit)
}

function matched(items: readonly Value[], filter: Document, path: string): Value {
  const found = items[matchedPosition(filter, path, items)]
  if (found !== undefined) return found
  throw new CommandError(
    51246,
    "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array"
  )
}
