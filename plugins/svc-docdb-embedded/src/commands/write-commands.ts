/**
 * `insert`, `update`, `delete`: batches of statements, each done whole or reported with its place in the batch; and
 * `findAndModify`: one document is changed, replaced, removed or upserted, and returned as it was or as it is.
 */
import { CommandError } from '../failure/command-error.ts'
import { parseFilter } from '../query/filter.ts'
import { projector } from '../query/projection.ts'
import { parseSort } from '../query/sort.ts'
import { readCollection } from '../storage/read-collection.ts'
import type { StoredRecord } from '../storage/stored-record.ts'
import { prepareUpdate } from '../update/apply-update.ts'
import { prepareDocument } from '../values/encode.ts'
import type { Document, Value } from '../values/value.ts'
import { Arguments } from './arguments.ts'
import type { Command, CommandContext, Reply } from './command.ts'

interface WriteError {
  readonly index: number
  readonly code: number
  readonly errmsg: string
}

/** @throws CommandError 72 for an empty batch */
function statements(args: Arguments, field: string): { items: Document[]; ordered: boolean } {
  const items = args.documents(field)
  const ordered = args.flag('ordered', true)
  args.ignore('bypassDocumentValidation', 'stmtId', 'stmtIds')
  args.refuse('let', 'isTimeseriesNamespace', 'encryptionInformation')
  args.end()
  if (items.length === 0 || items.length > 100_000) {
    throw new CommandError(72, `Write batch sizes must be between 1 and 100000. Got ${items.length} operations.`)
  }
  return { items, ordered }
}

/**
 * Runs the statements in turn and adds their failures to the reply. The first failure ends an ordered batch; a
 * conflict ends the transaction, so it ends any.
 */
async function runBatch(
  { items, ordered }: ReturnType<typeof statements>,
  run: (item: Document, index: number) => Promise<void>,
  reply: () => Reply
): Promise<Reply> {
  const writeErrors: WriteError[] = []
  for (const [index, item] of items.entries()) {
    try {
      await run(item, index)
    } catch (error) {
      if (!(error instanceof CommandError) || error.labels.length > 0 || error.code === 50) throw error
      writeErrors.push({ index, code: error.code, errmsg: error.message, ...error.fields })
      if (ordered) break
    }
  }
  return writeErrors.length > 0 ? { ...reply(), writeErrors } : reply()
}

function insert(args: Arguments, { engine, database, transaction, settled }: CommandContext): Promise<Reply> {
  const name = args.string('insert')
  let n = 0
  const run = async (item: Document) => {
    const document = prepareDocument(item)
    await settled(() => engine.catalog.findOrCreate(database, name).insert(document, transaction))
    n += 1
  }
  return runBatch(statements(args, 'documents'), run, () => ({ n }))
}

function update(args: Arguments, context: CommandContext): Promise<Reply> {
  const name = args.string('update')
  const total = { n: 0, nModified: 0 }
  const upserted: { index: number; _id: unknown }[] = []
  const run = async (item: Document, index: number) => {
    const { matched, modified, upsertedId } = await runUpdate(name, new Arguments('update.updates', item, []), context)
    total.n += matched
    total.nModified += modified
    if (upsertedId !== undefined) upserted.push({ index, _id: upsertedId })
  }
  return runBatch(statements(args, 'updates'), run, () => (upserted.length > 0 ? { ...total, upserted } : total))
}

interface UpdateOutcome {
  readonly matched: number
  readonly modified: number
  readonly upsertedId?: Value
}

/** What the statement matches is changed; where it matches nothing, an upsert inserts. */
function runUpdate(name: string, args: Arguments, context: CommandContext): Promise<UpdateOutcome> {
  const { engine, database, transaction, settled } = context
  const [query, given] = [args.document('q'), args.any('u') ?? null]
  const [multi, upsert, hint] = [args.flag('multi'), args.flag('upsert'), args.hint()]
  const sort = parseSort(args.optionalDocument('sort'))
  const prepared = prepareUpdate(query, given, args.optionalDocuments('arrayFilters'), engine.now())
  args.simpleCollation()
  args.refuse('c')
  args.ignore('upsertSupplied')
  args.end()
  if (multi && prepared.kind === 'replacement') {
    throw new CommandError(9, 'multi update is not supported for replacement-style update')
  }
  const reading = { filter: parseFilter(query), sort, hint, limit: multi ? 0 : 1, reader: transaction }
  const done = new Set<StoredRecord>()
  let modified = 0
  return settled((): UpdateOutcome => {
    const existing = engine.catalog.find(database, name)
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

function remove(args: Arguments, { engine, database, transaction, settled }: CommandContext): Promise<Reply> {
  const name = args.string('delete')
  let n = 0
  const run = async (item: Document) => {
    const statement = new Arguments('delete.deletes', item, [])
    const filter = parseFilter(statement.document('q'))
    const limit = String(statement.any('limit') ?? -1)
    const hint = statement.hint()
    statement.simpleCollation()
    statement.end()
    if (limit !== '0' && limit !== '1') {
      throw new CommandError(9, `The limit field in delete objects must be 0 or 1. Got ${limit}`)
    }
    await settled(() => {
      const collection = engine.catalog.find(database, name)
      if (collection === undefined) return
      const reading = { filter, hint, limit: Number(limit), reader: transaction }
      for (const { record } of readCollection(collection, reading)) {
        collection.remove(record, transaction)
        n += 1
      }
    })
  }
  return runBatch(statements(args, 'deletes'), run, () => ({ n }))
}

async function findAndModify(args: Arguments, context: CommandContext): Promise<Reply> {
  const { engine, database, transaction, settled } = context
  const name = args.string(args.any('findandmodify') === undefined ? 'findAndModify' : 'findandmodify')
  const query = args.optionalDocument('query')
  const sort = parseSort(args.optionalDocument('sort'))
  const project = projector(args.optionalDocument('fields'), query)
  const [remove, wantsNew, upsert] = [args.flag('remove'), args.flag('new'), args.flag('upsert')]
  const given = args.any('update')
  const arrayFilters = args.optionalDocuments('arrayFilters')
  const hint = args.hint()
  args.simpleCollation()
  args.ignore('bypassDocumentValidation', 'stmtId')
  args.refuse('let')
  args.end()
  if (remove === (given !== undefined)) {
    throw new CommandError(9, 'Either an update or remove=true must be specified, and not both')
  }
  if (remove && (upsert || wantsNew)) {
    throw new CommandError(9, 'Cannot specify upsert=true or new=true with remove=true')
  }
  const prepared = given === undefined ? null : prepareUpdate(query, given, arrayFilters, engine.now())
  const filter = parseFilter(query)
  const shown = (document: Document | null) => (document === null ? null : project(document))

  return settled((): Reply => {
    const collection = engine.catalog.find(database, name)
    const [match] =
      collection === undefined ? [] : readCollection(collection, { filter, sort, hint, limit: 1, reader: transaction })
    if (match === undefined || collection === undefined) {
      if (prepared === null || !upsert) return outcome({ n: 0 }, null, prepared !== null)
      const document = prepared.insertion()
      engine.catalog.findOrCreate(database, name).insert(document, transaction)
      return outcome({ n: 1, upserted: document.get('_id') }, wantsNew ? shown(document) : null, true)
    }
    const { record, document } = match
    if (prepared === null) {
      collection.remove(record, transaction)
      return outcome({ n: 1 }, shown(document), false)
    }
    const changed = prepared.apply(document)
    if (changed !== document) collection.replace(record, changed, transaction)
    return outcome({ n: 1, updatedExisting: true }, shown(wantsNew ? changed : document), true)
  })
}

function outcome(
  last: { n: number; updatedExisting?: boolean; upserted?: unknown },
  value: Document | null,
  updating: boolean
): Reply {
  return { lastErrorObject: updating ? { updatedExisting: false, ...last } : last, value }
}

export const writeCommands: Readonly<Record<string, Command>> = {
  insert: { run: insert, inTransaction: true },
  update: { run: update, inTransaction: true },
  delete: { run: remove, inTransaction: true },
  findAndModify: { run: findAndModify, inTransaction: true },
  findandmodify: { run: findAndModify, inTransaction: true }
}
