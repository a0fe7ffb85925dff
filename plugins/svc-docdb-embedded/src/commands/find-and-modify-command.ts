/** `findAndModify`: one document is changed, replaced, removed or upserted, and returned as it was or as it is. */
import { CommandError } from '../failure/command-error.ts'
import { parseFilter } from '../query/filter.ts'
import { projector } from '../query/projection.ts'
import { parseSort } from '../query/sort.ts'
import { readCollection } from '../storage/read-collection.ts'
import { prepareUpdate } from '../update/apply-update.ts'
import type { Document } from '../values/value.ts'
import type { Arguments } from './arguments.ts'
import type { Command, CommandContext, Reply } from './command.ts'

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

const command: Command = { run: findAndModify, inTransaction: true }

export const findAndModifyCommand: Readonly<Record<string, Command>> = {
  findAndModify: command,
  findandmodify: command
}
