/** `find`, `count`, `distinct` and `explain` of a find. */

import { CommandError, notImplemented } from '../failure/command-error.ts'
import { filterParser, parseFilter } from '../matching/parse-filter.ts'
import { valuesAt } from '../matching/values-at.ts'
import { compareValues, equalValues } from '../ordering/compare-values.ts'
import { parseSort } from '../ordering/sort-order.ts'
import { planReading, type Reading, readCollection } from '../planning/read-collection.ts'
import { projector } from '../projection/project.ts'
import type { Document, Value } from '../values/value.ts'
import { Arguments } from './arguments.ts'
import type { Command, CommandContext, Reply } from './command.ts'

interface Find {
  readonly name: string
  readonly reading: Reading
  readonly project: (document: Document) => Document
  readonly batchSize: number | null
  readonly singleBatch: boolean
  readonly noTimeout: boolean
}

function readFind(args: Arguments, { transaction }: CommandContext): Find {
  const filter = args.optionalDocument('filter') ?? new Map()
  const limit = args.integer('limit', -(2 ** 31)) ?? 0
  const find: Find = {
    name: args.string('find'),
    reading: {
      filter: parseFilter(filter),
      sort: parseSort(args.optionalDocument('sort') ?? new Map()),
      skip: args.integer('skip') ?? 0,
      limit: Math.abs(limit),
      hint: hintOf(args),
      reader: transaction
    },
    project: projector(args.optionalDocument('projection') ?? new Map(), filter, filterParser),
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

function find(args: Arguments, context: CommandContext): Reply {
  const { name, reading, project, ...options } = readFind(args, context)
  const collection = context.engine.catalog.find(context.database, name)
  const documents =
    collection === undefined ? [] : readCollection(collection, reading).map(({ document }) => project(document))
  return { cursor: context.engine.cursors.open(`${context.database}.${name}`, documents, options) }
}

function count(args: Arguments, { engine, database, transaction }: CommandContext): Reply {
  const name = args.string('count')
  const filter = parseFilter(args.optionalDocument('query') ?? new Map())
  const [skip, limit] = [args.integer('skip') ?? 0, Math.abs(args.integer('limit', -(2 ** 31)) ?? 0)]
  const hint = hintOf(args)
  args.simpleCollation()
  args.refuse('fields')
  args.end()
  const collection = engine.catalog.find(database, name)
  if (collection === undefined) return { n: 0 }
  return { n: readCollection(collection, { filter, skip, limit, hint, reader: transaction }).length }
}

function distinct(args: Arguments, { engine, database, transaction }: CommandContext): Reply {
  const [name, key] = [args.string('distinct'), args.string('key')]
  const filter = parseFilter(args.optionalDocument('query') ?? new Map())
  const hint = hintOf(args)
  args.simpleCollation()
  args.end()
  const collection = engine.catalog.find(database, name)
  const matches = collection === undefined ? [] : readCollection(collection, { filter, hint, reader: transaction })
  const parts = key.split('.')
  const found = matches
    .flatMap(({ document }) => valuesAt(document, parts))
    .flatMap((value): Value[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]))
    .sort(compareValues)
  return { values: found.filter((value, index) => index === 0 || !equalValues(value, found[index - 1])) }
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

/** A hint is the name or the key of an index; an empty one is none. */
export function hintOf(args: Arguments): Value | undefined {
  const hint = args.any('hint')
  if (hint === undefined || hint === null || hint === '' || (hint instanceof Map && hint.size === 0)) return undefined
  if (typeof hint === 'string' || hint instanceof Map) return hint
  throw new CommandError(14, "BSON field 'hint' must be the name or the key of an index")
}

export const readCommands: Readonly<Record<string, Command>> = {
  find: { run: find, inTransaction: true },
  count: { run: count, inTransaction: false },
  distinct: { run: distinct, inTransaction: true },
  explain: { run: explain, inTransaction: false }
}
