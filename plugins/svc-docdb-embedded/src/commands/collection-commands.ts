/** `create`, `drop`, `dropDatabase`, `listCollections`, `listDatabases`. */
import { CommandError } from '../failure/command-error.ts'
import { parseFilter } from '../query/filter.ts'
import type { Collection } from '../storage/collection.ts'
import type { Document } from '../values/value.ts'
import type { Arguments } from './arguments.ts'
import type { Command, CommandContext, Reply } from './command.ts'

function create(args: Arguments, { engine, database }: CommandContext): Reply {
  const name = args.string('create')
  args.simpleCollation()
  args.refuse('capped', 'size', 'max', 'timeseries', 'expireAfterSeconds', 'clusteredIndex', 'validator', 'viewOn')
  args.refuse('changeStreamPreAndPostImages', 'pipeline', 'storageEngine', 'indexOptionDefaults', 'encryptedFields')
  args.ignore('validationLevel', 'validationAction', 'autoIndexId')
  args.end()
  if (engine.catalog.find(database, name) !== undefined) {
    throw new CommandError(48, `Collection ${database}.${name} already exists.`)
  }
  engine.catalog.create(database, name, new Map())
  return {}
}

async function drop(args: Arguments, { engine, database, settled }: CommandContext): Promise<Reply> {
  const name = args.string('drop')
  args.end()
  return settled((): Reply => {
    const collection = engine.catalog.find(database, name)
    if (collection === undefined) return { ns: `${database}.${name}` }
    engine.catalog.drop(collection)
    return { ns: collection.namespace, nIndexesWas: collection.indexes.length }
  })
}

async function dropDatabase(args: Arguments, { engine, database, settled }: CommandContext): Promise<Reply> {
  args.ignore('dropDatabase')
  args.end()
  await settled(() => {
    for (const collection of engine.catalog.collections(database)) engine.catalog.drop(collection)
  })
  return { dropped: database }
}

function listCollections(args: Arguments, { engine, database }: CommandContext): Reply {
  args.ignore('listCollections', 'authorizedCollections')
  const nameOnly = args.flag('nameOnly')
  const filter = parseFilter(args.optionalDocument('filter'))
  const options = args.cursorOptions()
  args.end()
  const listed = engine.catalog.collections(database).map((collection) => describe(collection, nameOnly))
  return { cursor: engine.cursors.open(`${database}.$cmd.listCollections`, listed.filter(filter.matches), options) }
}

function describe({ name, options, indexes }: Collection, nameOnly: boolean): Document {
  const short: Document = new Map(Object.entries({ name, type: 'collection' }))
  if (nameOnly) return short
  const idIndex = indexes[0]?.definition.specification ?? new Map()
  const info: Document = new Map([['readOnly', false]])
  return short.set('options', options).set('info', info).set('idIndex', idIndex)
}

function listDatabases(args: Arguments, { engine }: CommandContext): Reply {
  args.ignore('listDatabases', 'nameOnly', 'authorizedDatabases')
  const filter = parseFilter(args.optionalDocument('filter'))
  args.end()
  const databases = engine.catalog.databases.map((name): Document => new Map([['name', name]]))
  return { databases: databases.filter(filter.matches) }
}

export const collectionCommands: Readonly<Record<string, Command>> = {
  create: { run: create, inTransaction: false },
  drop: { run: drop, inTransaction: false },
  dropDatabase: { run: dropDatabase, inTransaction: false },
  listCollections: { run: listCollections, inTransaction: false },
  listDatabases: { run: listDatabases, inTransaction: false }
}
