/** `insert`, `update`, `delete`: batches of statements, each done whole or reported with its place in the batch. */
import { Int32 } from 'bson'
import { CommandError } from '../failure/command-error.ts'
import type { Document } from '../values/value.ts'
import { Arguments } from './arguments.ts'
import type { Command, CommandContext, Reply } from './command.ts'
import { deleteMatching } from './delete-statement.ts'
import { prepareDocument } from './prepare-document.ts'
import { hintOf } from './read-commands.ts'
import { runUpdate } from './update-statement.ts'

interface WriteError {
  readonly index: number
  readonly code: number
  readonly errmsg: string
}

/** Statements in turn. The first failure ends an ordered batch; a conflict ends the transaction, so it ends any. */
async function runBatch(
  items: readonly Document[],
  ordered: boolean,
  run: (item: Document, index: number) => Promise<void>
): Promise<WriteError[]> {
  const errors: WriteError[] = []
  for (const [index, item] of items.entries()) {
    try {
      await run(item, index)
    } catch (error) {
      if (!(error instanceof CommandError) || error.labels.length > 0 || error.code === 50) throw error
      errors.push({ index, code: error.code, errmsg: error.message, ...error.fields })
      if (ordered) break
    }
  }
  return errors
}

function answer(fields: Reply, errors: readonly WriteError[]): Reply {
  return errors.length > 0 ? { ...fields, writeErrors: errors } : fields
}

/** @throws CommandError 72 for an empty batch */
function statements(args: Arguments, field: string): { items: Document[]; ordered: boolean } {
  const items = args.documents(field)
  const ordered = args.flag('ordered', true)
  args.ignore('bypassDocumentValidation')
  args.refuse('let', 'isTimeseriesNamespace', 'encryptionInformation')
  args.ignore('stmtId', 'stmtIds')
  args.end()
  if (items.length === 0 || items.length > 100_000) {
    throw new CommandError(72, `Write batch sizes must be between 1 and 100000. Got ${items.length} operations.`)
  }
  return { items, ordered }
}

async function insert(args: Arguments, { engine, database, transaction, settled }: CommandContext): Promise<Reply> {
  const name = args.string('insert')
  const { items, ordered } = statements(args, 'documents')
  let n = 0
  const errors = await runBatch(items, ordered, async (item) => {
    const document = prepareDocument(item)
    await settled(() => engine.catalog.findOrCreate(database, name).insert(document, transaction))
    n += 1
  })
  return answer({ n }, errors)
}

async function update(args: Arguments, context: CommandContext): Promise<Reply> {
  const name = args.string('update')
  const { items, ordered } = statements(args, 'updates')
  const total = { n: 0, nModified: 0 }
  const upserted: { index: number; _id: unknown }[] = []
  const errors = await runBatch(items, ordered, async (item, index) => {
    const { matched, modified, upsertedId } = await runUpdate(name, new Arguments('update.updates', item, []), context)
    total.n += matched
    total.nModified += modified
    if (upsertedId !== undefined) upserted.push({ index, _id: upsertedId })
  })
  return answer({ ...total, ...(upserted.length > 0 ? { upserted } : {}) }, errors)
}

async function remove(args: Arguments, context: CommandContext): Promise<Reply> {
  const name = args.string('delete')
  const { items, ordered } = statements(args, 'deletes')
  let n = 0
  const errors = await runBatch(items, ordered, async (item) => {
    const statement = new Arguments('delete.deletes', item, [])
    const filter = statement.document('q')
    const limit = statement.any('limit') ?? new Int32(-1)
    const hint = hintOf(statement)
    statement.simpleCollation()
    statement.end()
    if (String(limit) !== '0' && String(limit) !== '1') {
      throw new CommandError(9, `The limit field in delete objects must be 0 or 1. Got ${String(limit)}`)
    }
    n += await deleteMatching(name, { filter, hint, limit: Number(String(limit)) }, context)
  })
  return answer({ n }, errors)
}

export const writeCommands: Readonly<Record<string, Command>> = {
  insert: { run: insert, inTransaction: true },
  update: { run: update, inTransaction: true },
  delete: { run: remove, inTransaction: true }
}
