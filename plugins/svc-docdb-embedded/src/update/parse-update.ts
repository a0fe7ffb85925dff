/** Updates: `{ $set: {...}, $inc: {...} }` or a whole document, checked before any document is changed. */
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { isPosition } from '../query/paths.ts'
import { compareStrings } from '../values/compare-values.ts'
import { type Document, firstName, isDocument, type Value } from '../values/value.ts'
import { type Modifier, UPDATE_OPERATORS } from './operators.ts'
import { type PipelineUpdate, parsePipelineUpdate } from './pipeline-update.ts'

export interface Modification {
  readonly path: string
  readonly parts: readonly string[]
  readonly modifier: Modifier
}

export interface Renaming {
  readonly from: string
  readonly to: string
}

export type Update =
  | PipelineUpdate
  | { readonly kind: 'replacement'; readonly document: Document }
  | {
      readonly kind: 'modifications'
      readonly modifications: readonly Modification[]
      readonly renamings: readonly Renaming[]
    }

/** @throws CommandError 9 for an unknown operator, 40 for paths in conflict, 52 and 56 for names that cannot be stored */
export function parseUpdate(update: Value): Update {
  if (Array.isArray(update)) return parsePipelineUpdate(update)
  if (!isDocument(update)) throw new CommandError(9, 'Update argument must be either an object or an array')
  if (!firstName(update).startsWith('$')) return replacement(update)
  const modifications: Modification[] = []
  const renamings: Renaming[] = []
  for (const [operator, fields] of update) {
    const build = UPDATE_OPERATORS.get(operator)
    if (operator === '$bit') throw notImplemented('the update operator $bit')
    if (build === undefined && operator !== '$rename') {
      throw new CommandError(
        9,
        `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`
      )
    }
    if (!isDocument(fields)) {
      throw new CommandError(
        9,
        `Modifiers operate on fields but we found a value of another type instead. For example: {$mod: {<field>: ...}} not {${operator}: ...}`
      )
    }
    for (const [path, operand] of fields) {
      checkPath(path)
      if (build === undefined) renamings.push(readRenaming(path, operand))
      else modifications.push({ path, parts: path.split('.'), modifier: build(operand, path) })
    }
  }
  checkConflicts([...modifications.map(({ path }) => path), ...renamings.flatMap(({ from, to }) => [from, to])])
  modifications.sort((a, b) => compareParts(a.parts, b.parts))
  return { kind: 'modifications', modifications, renamings }
}

function replacement(document: Document): Update {
  const name = [...document.keys()].find((key) => key.startsWith('$'))
  if (name === undefined) return { kind: 'replacement', document }
  throw new CommandError(
    52,
    `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document.`
  )
}

function readRenaming(from: string, to: Value): Renaming {
  if (typeof to !== 'string') throw new CommandError(2, `The 'to' field for $rename must be a string: ${from}`)
  checkPath(to)
  if (from === to) throw new CommandError(2, `The source and target field for $rename must differ: ${from}`)
  if (`${from}.${to}`.split('.').some((part) => part.startsWith('$'))) {
    throw new CommandError(2, 'The source and target field for $rename may not be dynamic')
  }
  return { from, to }
}

function checkPath(path: string): void {
  if (path === '') throw new CommandError(56, 'An empty update path is not valid.')
  const parts = path.split('.')
  if (parts.includes('')) {
    throw new CommandError(56, `The update path '${path}' contains an empty field name, which is not allowed.`)
  }
  for (const [index, part] of parts.entries()) {
    const positional = index > 0 && (part === '$' || /^\$\[.*\]$/.test(part))
    if (part.startsWith('$') && !positional && !['$ref', '$id', '$db'].includes(part)) {
      throw new CommandError(52, `The dollar ($) prefixed field '${part}' in '${path}' is not valid for storage.`)
    }
  }
}

function checkConflicts(paths: readonly string[]): void {
  const taken = new Set<string>()
  const split = paths.map((path) => path.split('.')).sort((a, b) => a.length - b.length)
  for (const parts of split) {
    const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('.'))
    const path = parts.join('.')
    const clash = prefixes.find((prefix) => taken.has(prefix))
    if (clash !== undefined) {
      throw new CommandError(40, `Updating the path '${path}' would create a conflict at '${clash}'`)
    }
    taken.add(path)
  }
}

/** New fields come in the order of their names, numbers among them by value, as MongoDB applies them. */
function compareParts(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    const numbers = isPosition(part) && isPosition(other)
    const difference = numbers ? Number(part) - Number(other) : compareStrings(part, other)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
