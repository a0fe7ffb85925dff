/** One statement of `update`: what it matches is changed; where it matches nothing, an upsert inserts. */
import { CommandError } from '../failure/command-error.ts'
import { filterParser, parseFilter } from '../matching/parse-filter.ts'
import { parseSort } from '../ordering/sort-order.ts'
import { readCollection } from '../planning/read-collection.ts'
import type { StoredRecord } from '../storage/stored-record.ts'
import { applyUpdate, type UpdateContext } from '../updating/apply-update.ts'
import { parseUpdate, type Update } from '../updating/parse-update.ts'
import { checkArrayFilters, readArrayFilters } from '../updating/positional-paths.ts'
import { upsertDocument } from '../updating/upsert-document.ts'
import type { Document, Value } from '../values/value.ts'
import type { Arguments } from './arguments.ts'
import type { CommandContext } from './command.ts'
import { prepareDocument } from './prepare-document.ts'
import { hintOf } from './read-commands.ts'

export interface UpdateOutcome {
  readonly matched: number
  readonly modified: number
  readonly upsertedId?: Value
}

/** An update as it can be applied to any document: parsed, with the conditions on array elements. */
export interface PreparedUpdate {
  readonly apply: (document: Document) => Document
  /** The document an upsert inserts. */
  readonly insertion: () => Document
}

/** @throws CommandError for whatever is wrong with the update itself, before anything is read */
export function prepareUpdate(
  query: Document,
  given: Value,
  filters: readonly Document[],
  now: Date
): PreparedUpdate & { update: Update } {
  const update = parseUpdate(given, filterParser)
  const arrayFilters = readArrayFilters(filters, filterParser)
  const paths = update.kind === 'modifications' ? update.modifications.map(({ parts }) => parts) : []
  checkArrayFilters(paths, arrayFilters)
  const context: UpdateContext = { query, arrayFilters, parser: filterParser, now, inserting: false }
  return {
    update,
    apply: (document) => applyUpdate(document, update, context),
    insertion: () => prepareDocument(applyUpdate(upsertBase(query, update), update, { ...context, inserting: true }))
  }
}

/** A replacement takes only the `_id` of the filter. */
function upsertBase(query: Document, update: Update): Document {
  const document = upsertDocument(query)
  if (update.kind === 'modifications') return document
  const id = document.get('_id')
  return id === undefined ? new Map() : new Map([['_id', id]])
}

export async function runUpdate(name: string, args: Arguments, context: CommandContext): Promise<UpdateOutcome> {
  const { engine, database, transaction, settled } = context
  const [query, given] = [args.document('q'), args.any('u') ?? null]
  const [multi, upsert, hint] = [args.flag('multi'), args.flag('upsert'), hintOf(args)]
  const sort = parseSort(args.optionalDocument('sort') ?? new Map())
  const prepared = prepareUpdate(query, given, args.optionalDocuments('arrayFilters'), engine.now())
  args.simpleCollation()
  args.refuse('c')
  args.ignore('upsertSupplied')
  args.end()
  if (multi && prepared.update.kind === 'replacement') {
    throw new CommandError(9, 'multi update is not supported for replacement-style update')
  }
  const filter = parseFilter(query)
  const done = new Set<StoredRecord>()
  let modified = 0
  return settled((): UpdateOutcome => {
    const existing = engine.catalog.find(database, name)
    const reading = { filter, sort, hint, limit: multi ? 0 : 1, reader: transaction }
    const matches = existing === undefined ? [] : readCollection(existing, reading)
    if (matches.length === 0 && upsert && done.size === 0) {
      const document = prepared.insertion()
      engine.catalog.findOrCreate(database, name).insert(document, transaction)
      return { matched: 1, modified: 0, upsertedId: document.get('_id') ?? null }
    }
    for (const { record, document } of matches) {
      if (done.has(record)) continue
      const changed = prepared.apply(document)
      if (changed !== document) {
        existing?.replace(record, changed, transaction)
        modified += 1
      }
      done.add(record)
    }
    return { matched: done.size, modified }
  })
}
