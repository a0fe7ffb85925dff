/** A projection on documents. Fields keep the order they have in the document, whatever the order asked for. */
import { CommandError } from '../failure/command-error.ts'
import type { Parser } from '../matching/condition.ts'
import { type Document, isDocument, type Value } from '../values/value.ts'
import { type Branch, type ProjectionTree, readProjection } from './projection-tree.ts'

/** @throws CommandError when the projection cannot be read, and later when the positional `$` finds no match */
export function projector(projection: Document, filter: Document, parser: Parser): (document: Document) => Document {
  if (projection.size === 0) return (document) => document
  const tree = readProjection(projection, parser)
  return (document) => {
    const first = (path: string, items: readonly Value[]) => matchedBy(filter, path, items, parser)
    const rest = projectFields(withoutId(document), tree.fields, tree, first, '')
    const id = document.get('_id')
    return new Map(id !== undefined && tree.id ? [['_id', id], ...rest] : rest)
  }
}

type FirstMatch = (path: string, items: readonly Value[]) => Value

function withoutId(document: Document): Document {
  const rest = new Map(document)
  rest.delete('_id')
  return rest
}

function projectFields(
  document: Document,
  fields: ReadonlyMap<string, Branch>,
  tree: ProjectionTree,
  first: FirstMatch,
  prefix: string
): Document {
  const result: Document = new Map()
  for (const [name, value] of document) {
    const branch = fields.get(name)
    const projected =
      branch === undefined
        ? tree.including
          ? undefined
          : value
        : projectValue(value, branch, tree, first, prefix + name)
    if (projected !== undefined) result.set(name, projected)
  }
  return result
}

function projectValue(
  value: Value,
  branch: Branch,
  tree: ProjectionTree,
  first: FirstMatch,
  path: string
): Value | undefined {
  switch (branch.kind) {
    case 'keep':
      return value
    case 'drop':
      return undefined
    case 'slice':
      return Array.isArray(value) ? slice(value, branch.skip, branch.limit) : value
    case 'first':
      return firstElement(value, branch, first, path)
    case 'enter':
      return enter(value, branch.fields, tree, first, path)
  }
}

function enter(
  value: Value,
  fields: ReadonlyMap<string, Branch>,
  tree: ProjectionTree,
  first: FirstMatch,
  path: string
): Value | undefined {
  if (isDocument(value)) return projectFields(value, fields, tree, first, `${path}.`)
  if (!Array.isArray(value)) return tree.including ? undefined : value
  return value.flatMap((item): Value[] => {
    const entered = enter(item, fields, tree, first, path)
    return entered === undefined ? [] : [entered]
  })
}

function slice(items: readonly Value[], skip: number, limit: number): Value[] {
  const begin = skip < 0 ? Math.max(items.length + skip, 0) : skip
  return items.slice(begin, begin + limit)
}

/** `$elemMatch` leaves the field out without a match; the positional `$` fails. */
function firstElement(
  value: Value,
  { test }: Extract<Branch, { kind: 'first' }>,
  first: FirstMatch,
  path: string
): Value | undefined {
  if (test === null) return Array.isArray(value) ? [first(path, value)] : value
  if (!Array.isArray(value)) return undefined
  const found = value.find((item) => test(item))
  return found === undefined ? undefined : [found]
}

function matchedBy(filter: Document, path: string, items: readonly Value[], parser: Parser): Value {
  const about = [...filter].filter(([name]) => name === path || name.startsWith(`${path}.`))
  const conditions = about.map(([name, operand]) => parser.filter(new Map([[name, operand]])))
  const found = items.find((item) => {
    const alone = path.split('.').reduceRight<Value>((inner, name) => new Map([[name, inner]]), [item])
    return isDocument(alone) && conditions.every(({ matches }) => matches(alone))
  })
  if (about.length === 0 || found === undefined) {
    throw new CommandError(
      51246,
      "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array"
    )
  }
  return found
}
