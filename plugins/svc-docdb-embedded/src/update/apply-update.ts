/** An update on one document: the new document, or the same one when nothing changes. The old one is never changed. */
import { CommandError } from '../failure/command-error.ts'
import { equalValues } from '../values/compare-values.ts'
import { checkDocument, prepareDocument, sameDocument } from '../values/encode.ts'
import { type Document, firstName, isDocument, isRegex, type Value } from '../values/value.ts'
import { parseUpdate, type Renaming, type Update } from './parse-update.ts'
import { computedDocument } from './pipeline-update.ts'
import { checkArrayFilters, concretePaths, type Positions, readArrayFilters } from './positional-paths.ts'
import { copyOf, readAt, removeAt, writeAt } from './target.ts'

export interface UpdateContext extends Positions {
  readonly now: Date
  /** Whether the document is that of an upsert. */
  readonly inserting: boolean
}

/** An update that was read once and is applied to any document. */
export interface PreparedUpdate {
  readonly kind: Update['kind']
  readonly apply: (document: Document) => Document
  /** The document an upsert inserts. */
  readonly insertion: () => Document
}

/** @throws CommandError for whatever is wrong with the update itself, before anything is read */
export function prepareUpdate(query: Document, given: Value, filters: readonly Document[], now: Date): PreparedUpdate {
  const update = parseUpdate(given)
  const arrayFilters = readArrayFilters(filters)
  checkArrayFilters(update.kind === 'modifications' ? update.modifications.map(({ parts }) => parts) : [], arrayFilters)
  const context: UpdateContext = { query, arrayFilters, now, inserting: false }
  return {
    kind: update.kind,
    apply: (document) => applyUpdate(document, update, context),
    insertion: () => prepareDocument(applyUpdate(upsertBase(query, update), update, { ...context, inserting: true }))
  }
}

/** @throws CommandError 66 when `_id` would change, 28 and 14 for values that cannot take it, 17419 when it grows too large */
export function applyUpdate(document: Document, update: Update, context: UpdateContext): Document {
  const changed = changedBy(document, update, context)
  const id = document.get('_id')
  if (id !== undefined && !equalValues(id, changed.get('_id'))) {
    throw new CommandError(66, "Performing an update on the path '_id' would modify the immutable field '_id'")
  }
  if (sameDocument(document, changed)) return document
  checkDocument(changed, context.inserting ? 10334 : 17419)
  return changed
}

function changedBy(document: Document, update: Update, context: UpdateContext): Document {
  if (update.kind === 'replacement') return replaced(document, update.document)
  return update.kind === 'pipeline' ? computedDocument(document, update) : modified(document, update, context)
}

function replaced(document: Document, replacement: Document): Document {
  const id = replacement.get('_id') ?? document.get('_id')
  const rest = [...replacement].filter(([name]) => name !== '_id')
  return new Map(id === undefined ? rest : [['_id', id], ...rest])
}

function modified(
  document: Document,
  update: Extract<Update, { kind: 'modifications' }>,
  context: UpdateContext
): Document {
  const copy = copyOf(document)
  const id = String(document.get('_id') ?? '')
  for (const renaming of update.renamings) rename(copy, renaming)
  for (const { path, parts, modifier } of update.modifications) {
    if (modifier.onInsertOnly === true && !context.inserting) continue
    for (const target of concretePaths(copy, parts, context)) {
      if (modifier.removes === true) {
        removeAt(copy, target)
        continue
      }
      const value = modifier.apply(readAt(copy, target), { path, id, now: context.now })
      if (value !== undefined) writeAt(copy, target, value)
    }
  }
  return copy
}

function rename(document: Document, { from, to }: Renaming): void {
  const [source, target] = [from.split('.'), to.split('.')]
  for (const parts of [source, target]) {
    if (!parts.some((_, index) => Array.isArray(readAt(document, parts.slice(0, index))))) continue
    throw new CommandError(2, `The path of $rename cannot lead through an array: ${parts.join('.')}`)
  }
  const value = readAt(document, source)
  if (value === undefined) return
  removeAt(document, source)
  removeAt(document, target)
  writeAt(document, target, value)
}

/** A replacement takes only the `_id` of the filter. */
function upsertBase(query: Document, update: Update): Document {
  const document = upsertDocument(query)
  const id = document.get('_id')
  if (update.kind !== 'replacement') return document
  return id === undefined ? new Map() : new Map([['_id', id]])
}

/** The document an upsert begins with: the fields that the filter compares for equality. @throws CommandError 54 for two values */
export function upsertDocument(filter: Document): Document {
  const document: Document = new Map()
  const taken = new Set<string>()
  for (const [path, value] of equalities(filter)) {
    if (taken.has(path)) throw new CommandError(54, `cannot infer query fields to set, path '${path}' is matched twice`)
    taken.add(path)
    writeAt(document, path.split('.'), value)
  }
  return document
}

function equalities(filter: Document): [string, Value][] {
  return [...filter].flatMap(([name, operand]): [string, Value][] => {
    if (!name.startsWith('$')) return equality(name, operand)
    const branches = Array.isArray(operand) ? operand.filter(isDocument) : []
    // One branch of $or is as sure as $and; of several, none is.
    return name === '$and' || (name === '$or' && branches.length === 1) ? branches.flatMap(equalities) : []
  })
}

function equality(path: string, operand: Value): [string, Value][] {
  if (isRegex(operand)) return []
  if (!isDocument(operand) || !firstName(operand).startsWith('$')) return [[path, operand]]
  const [equal, all] = [operand.get('$eq'), operand.get('$all')]
  if (equal !== undefined) return [[path, equal]]
  const [only] = Array.isArray(all) && all.length === 1 ? all : []
  return only === undefined || isDocument(only) ? [] : [[path, only]]
}
