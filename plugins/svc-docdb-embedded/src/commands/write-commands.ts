/** `insert`, `update`, `delete`: batches of statements, each done whole or reported with its place in the batch. */
import { CommandError } from '../failure/command-error.ts'
import { parseFilter } from '../query/filter.ts'
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

export const writeCommands: Readonly<Record<string, Command>> = {
  insert: { run: insert, inTransaction: true },
  update: { run: update, inTransaction: true },
  delete: { run: remove, inTransaction: true }
}
