/** An update on one document: the new document, or the same one when nothing changes. The old one is never touched. */
import { CommandError } from '../failure/command-error.ts'
import { equalValues } from '../ordering/compare-values.ts'
import { checkDocument, sameDocument } from '../values/encode.ts'
import type { Document } from '../values/value.ts'
import type { Renaming, Update } from './parse-update.ts'
import { concretePaths, type Positions } from './positional-paths.ts'
import { copyOf, readAt, removeAt, writeAt } from './update-target.ts'

export interface UpdateContext extends Positions {
  readonly now: Date
  /** Whether the document is that of an upsert. */
  readonly inserting: boolean
}

/** @throws CommandError 66 when `_id` would change, 28 and 14 for values that cannot take it, 17419 when it grows too large */
export function applyUpdate(document: Document, update: Update, context: UpdateContext): Document {
  const changed =
    update.kind === 'replacement' ? replaced(document, update.document) : modified(document, update, context)
  checkId(document, changed)
  if (sameDocument(document, changed)) return document
  checkDocument(changed, context.inserting ? 10334 : 17419)
  return changed
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
  for (const { from, to } of update.renamings) rename(copy, { from, to })
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
    const array = parts.findIndex((_, index) => Array.isArray(readAt(document, parts.slice(0, index))))
    if (array >= 0) throw new CommandError(2, `The path of $rename cannot lead through an array: ${parts.join('.')}`)
  }
  const value = readAt(document, source)
  if (value === undefined) return
  removeAt(document, source)
  removeAt(document, target)
  writeAt(document, target, value)
}

function checkId(before: Document, after: Document): void {
  const id = before.get('_id')
  if (id === undefined) return
  if (equalValues(id, after.get('_id'))) return
  throw new CommandError(66, "Performing an update on the path '_id' would modify the immutable field '_id'")
}
