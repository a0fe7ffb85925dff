/** `find`, `count`, `distinct`, `aggregate`, `explain` of a find; `getMore` and `killCursors` of what they opened. */
import { Long } from 'bson'
import { parsePipeline } from '../aggregation/pipeline.ts'
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { parseFilter } from '../query/filter.ts'
import { valuesAt } from '../query/paths.ts'
import { projector } from '../query/projection.ts'
import { parseSort } from '../query/sort.ts'
import { planReading, type Reading, readCollection } from '../storage/read-collection.ts'
import { compareValues, equalValues } from '../values/compare-values.ts'
import { type Document, isDocument, isNumber, type Value } from '../values/value.ts'
import { Arguments } from './arguments.ts'
import type { Command, CommandContext, Reply } from './command.ts'
import type { CursorOptions } from './cursor-registry.ts'

interface Find extends Required<CursorOptions> {
  readonly name: string
  readonly reading: Reading
  readonly project: (document: Document) => Document
}

function readFind(args: Arguments, { transaction }: CommandContext): Find {
  const filter = args.optionalDocument('filter')
  const limit = args.integer('limit', -(2 ** 31)) ?? 0
  const find: Find = {
    name: args.string('find'),
    reading: {
      filter: parseFilter(filter),
      sort: parseSort(args.optionalDocument('sort')),
      skip: args.integer('skip') ?? 0,
      limit: Math.abs(limit),
      hint: args.hint(),
      reader: transaction
    },
    project: projector(args.optionalDocument('projection'), filter),
    batchSize: args.integer('batchSize'),
    singleBatch: args.flag('singleBatch') || limit < 0,
    noTimeout: args.flag('noCursorTimeout')
  }
  args.simpleCollation()
  args.ignore('allowDiskUse', 'allowPartialResults')
  args.refuse('tailable', 'awaitData', 'oplogReplay', 'returnKey', 'showRecordId', 'min', 'max', 'let')
  args.end()
  return find
}

/** The documents of a reading; none where there is no such collection. */
function documentsOf({ engine, database }: CommandContext, name: string, reading: Reading): Document[] {
  const collection = engine.catalog.find(database, name)
  return collection === undefined ? [] : readCollection(collection, reading).map(({ document }) => document)
}

function find(args: Arguments, context: CommandContext): Reply {
  const { name, reading, project, ...options } = readFind(args, context)
  const documents = documentsOf(context, name, reading).map(project)
  return { cursor: context.engine.cursors.open(`${context.database}.${name}`, documents, options) }
}

function count(args: Arguments, context: CommandContext): Reply {
  const name = args.string('count')
  const filter = parseFilter(args.optionalDocument('query'))
  const [skip, limit] = [args.integer('skip') ?? 0, Math.abs(args.integer('limit', -(2 ** 31)) ?? 0)]
  const hint = args.hint()
  args.simpleCollation()
  args.refuse('fields')
  args.end()
  return { n: documentsOf(context, name, { filter, skip, limit, hint, reader: context.transaction }).length }
}

function distinct(args: Arguments, context: CommandContext): Reply {
  const [name, key] = [args.string('distinct'), args.string('key')]
  const filter = parseFilter(args.optionalDocument('query'))
  const hint = args.hint()
  args.simpleCollation()
  args.end()
  const parts = key.split('.')
  const found = documentsOf(context, name, { filter, hint, reader: context.transaction })
    .flatMap((document) => valuesAt(document, parts))
    .flatMap((value): Value[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]))
    .sort(compareValues)
  return { values: found.filter((value, index) => index === 0 || !equalValues(value, found[index - 1])) }
}

/** A first `$match` reads through the indexes; everything after it works on what that gave. */
function aggregate(args: Arguments, context: CommandContext): Reply {
  const name = args.any('aggregate')
  if (typeof name !== 'string') throw notImplemented('an aggregation without a collection')
  const pipeline = args.documents('pipeline')
  args.document('cursor')
  const [options, hint] = [args.cursorOptions(), args.hint()]
  args.simpleCollation()
  args.ignore('allowDiskUse', 'bypassDocumentValidation')
  args.refuse('let', 'explain')
  args.end()
  const reader = context.transaction
  const all = parseFilter(new Map())
  const stages = parsePipeline(pipeline, (other) => documentsOf(context, other, { filter: all, reader }))
  const first = pipeline[0]?.get('$match')
  const filter = isDocument(first) ? parseFilter(first) : all
  const input = documentsOf(context, name, { filter, hint, reader })
  const documents = stages.reduce<readonly Document[]>((found, stage) => stage(found), input)
  return { cursor: context.engine.cursors.open(`${context.database}.${name}`, documents, options) }
}

/** Which index a find would use: `IXSCAN` with its name, or `COLLSCAN`. */
function explain(args: Arguments, context: CommandContext): Reply {
  const explained = args.document('explain')
  args.ignore('verbosity')
  args.end()
  if (!explained.has('find')) throw notImplemented('explain of anything but find')
  const { name, reading } = readFind(new Arguments('find', explained), context)
  const collection = context.engine.catalog.find(context.database, name)
  const plan = collection === undefined ? null : planReading(collection, reading)
  const scan =
    plan === null
      ? { stage: 'COLLSCAN', direction: 'forward' }
      : {
          stage: 'IXSCAN',
          indexName: plan.index.definition.name,
          keyPattern: plan.index.definition.key,
          isMultiKey: plan.index.multikey,
          direction: plan.direction === 1 ? 'forward' : 'backward'
        }
  const sorting = (reading.sort ?? []).length > 0 && plan?.sorted !== true
  const winningPlan = sorting ? { stage: 'SORT', inputStage: scan } : scan
  return { queryPlanner: { namespace: `${context.database}.${name}`, winningPlan, rejectedPlans: [] } }
}

function cursorId(value: Value | undefined): bigint {
  if (isNumber(value) && value._bsontype === 'Long') return value.toBigInt()
  throw new CommandError(14, 'a cursor id is of the type long')
}

function getMore(args: Arguments, { engine, database }: CommandContext): Reply {
  const id = cursorId(args.any('getMore'))
  const [name, batchSize] = [args.string('collection'), args.integer('batchSize')]
  args.end()
  return { cursor: engine.cursors.next(id, `${database}.${name}`, batchSize) }
}

function killCursors(args: Arguments, { engine }: CommandContext): Reply {
  args.string('killCursors')
  const given = args.any('cursors')
  args.end()
  if (!Array.isArray(given)) throw new CommandError(14, "BSON field 'killCursors.cursors' must be an array")
  const results = given.map(cursorId).map((id) => ({ id: Long.fromBigInt(id), killed: engine.cursors.kill(id) }))
  const idsOf = (killed: boolean) => results.filter((one) => one.killed === killed).map(({ id }) => id)
  return { cursorsKilled: idsOf(true), cursorsNotFound: idsOf(false), cursorsAlive: [], cursorsUnknown: [] }
}

export const readCommands: Readonly<Record<string, Command>> = {
  find: { run: find, inTransaction: true },
  count: { run: count, inTransaction: false },
  distinct: { run: distinct, inTransaction: true },
  aggregate: { run: aggregate, inTransaction: true },
  explain: { run: explain, inTransaction: false },
  getMore: { run: getMore, inTransaction: true },
  killCursors: { run: killCursors, inTransaction: true }
}
