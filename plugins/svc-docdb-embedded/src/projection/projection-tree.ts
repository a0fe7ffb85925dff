/** Projections, read: `{ a: 1, 'b.c': 1 }` or `{ a: 0 }`, with `$slice`, `$elemMatch` and the positional `$`. */
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { elementTest } from '../matching/array-operators.ts'
import type { Parser, ValueTest } from '../matching/condition.ts'
import { truthy } from '../matching/element-operators.ts'
import { approximate } from '../values/exact-number.ts'
import { type Document, isDocument, isNumber, type Value } from '../values/value.ts'

/** What happens to one field: kept, dropped, entered, or its array cut. */
export type Branch =
  | { readonly kind: 'keep' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'enter'; readonly fields: Map<string, Branch> }
  | { readonly kind: 'slice'; readonly skip: number; readonly limit: number }
  | { readonly kind: 'first'; readonly test: ValueTest | null }

export interface ProjectionTree {
  readonly including: boolean
  readonly fields: ReadonlyMap<string, Branch>
  readonly id: boolean
}

/** @throws CommandError 31253, 31254 for a mixture, 31249 for paths in conflict, 238 for computed fields */
export function readProjection(projection: Document, parser: Parser): ProjectionTree {
  const fields = new Map<string, Branch>()
  const leaves = flatten(projection)
  const mode = { including: null as boolean | null }
  for (const [path, operand] of leaves) {
    if (path === '_id') continue
    const branch = readBranch(path, operand, parser)
    if (branch.kind !== 'slice') agree(mode, branch.kind !== 'drop', path)
    place(fields, branch.kind === 'first' && branch.test === null ? path.replace(/\.\$$/, '') : path, branch)
  }
  const id = leaves.find(([path]) => path === '_id')?.[1]
  const including = mode.including ?? (fields.size === 0 && id !== undefined && truthy(id))
  return { including, fields, id: id === undefined || truthy(id) }
}

function agree(mode: { including: boolean | null }, including: boolean, path: string): void {
  if (mode.including !== null && mode.including !== including) {
    throw including
      ? new CommandError(31253, `Cannot do inclusion on field ${path} in exclusion projection`)
      : new CommandError(31254, `Cannot do exclusion on field ${path} in inclusion projection`)
  }
  mode.including = including
}

/** `{ a: { b: 1 } }` is `{ 'a.b': 1 }`. */
function flatten(projection: Document, prefix = ''): [string, Value][] {
  return [...projection].flatMap(([name, operand]): [string, Value][] => {
    if (name === '') throw new CommandError(40352, 'FieldPath cannot be constructed with empty string')
    if (name.startsWith('$')) throw new CommandError(16410, `FieldPath field names may not start with '$': ${name}`)
    const nested = isDocument(operand) && operand.size > 0 && !String([...operand.keys()][0]).startsWith('$')
    return nested ? flatten(operand, `${prefix}${name}.`) : [[prefix + name, operand]]
  })
}

function readBranch(path: string, operand: Value, parser: Parser): Branch {
  if (isDocument(operand)) return readOperator(path, operand, parser)
  if (!isNumber(operand) && typeof operand !== 'boolean')
    throw notImplemented(`the computed field '${path}' in a projection`)
  if (!path.endsWith('.$')) return { kind: truthy(operand) ? 'keep' : 'drop' }
  if (!truthy(operand)) throw new CommandError(31395, 'positional projection cannot be used with exclusion')
  return { kind: 'first', test: null }
}

function readOperator(path: string, operand: Document, parser: Parser): Branch {
  const [[name, argument] = ['', null]] = operand
  if (name === '$elemMatch') {
    if (path.includes('.')) throw new CommandError(31275, 'Cannot use $elemMatch projection on a nested field')
    return { kind: 'first', test: elementTest(argument, parser) }
  }
  if (name === '$slice') return readSlice(argument)
  throw notImplemented(`the computed field '${path}' in a projection`)
}

function readSlice(argument: Value): Branch {
  const numbers = (Array.isArray(argument) ? argument : [argument]).map((value) =>
    isNumber(value) ? approximate(value) : Number.NaN
  )
  const [first = Number.NaN, second] = numbers
  if (numbers.some((number) => !Number.isInteger(number)) || numbers.length > 2)
    throw new CommandError(28667, 'Invalid $slice syntax')
  if (!Array.isArray(argument)) {
    return first < 0 ? { kind: 'slice', skip: first, limit: -first } : { kind: 'slice', skip: 0, limit: first }
  }
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
