/** `aggregate`: a first `$match` reads through the indexes; everything after it works on what that gave. */

import { parsePipeline } from '../aggregation/run-pipeline.ts'
import { CommandError } from '../failure/command-error.ts'
import { parseFilter } from '../matching/parse-filter.ts'
import { readCollection } from '../planning/read-collection.ts'
import { type Document, isDocument } from '../values/value.ts'
import type { Arguments } from './arguments.ts'
import { batchOf } from './collection-commands.ts'
import type { Command, CommandContext, Reply } from './command.ts'
import { hintOf } from './read-commands.ts'

function aggregate(args: Arguments, { engine, database, transaction }: CommandContext): Reply {
  const name = args.any('aggregate')
  if (typeof name !== 'string') {
    throw new CommandError(
      238,
      'an aggregation without a collection is not available in the embedded development engine'
    )
  }
  const pipeline = args.documents('pipeline')
  const cursor = args.document('cursor')
  const hint = hintOf(args)
  args.simpleCollation()
  args.ignore('allowDiskUse', 'bypassDocumentValidation')
  args.refuse('let', 'explain')
  args.end()
  const documentsOf = (other: string, filter: Document, hinted = hint): Document[] => {
    const collection = engine.catalog.find(database, other)
    if (collection === undefined) return []
    const reading = { filter: parseFilter(filter), hint: hinted, reader: transaction }
    return readCollection(collection, reading).map(({ document }) => document)
  }
  const stages = parsePipeline(pipeline, (other) => documentsOf(other, new Map(), undefined))
  const first = pipeline[0]?.get('$match')
  const input = documentsOf(name, isDocument(first) ? first : new Map())
  const documents = stages.reduce<readonly Document[]>((found, stage) => stage(found), input)
  return { cursor: engine.cursors.open(`${database}.${name}`, documents, batchOf(cursor)) }
}

export const aggregateCommand: Readonly<Record<string, Command>> = {
  aggregate: { run: aggregate, inTransaction: true }
}
