/** `createIndexes`, `dropIndexes`, `listIndexes`. */
import { Int32 } from 'bson'
import { CommandError } from '../failure/command-error.ts'
import type { CollectionIndex } from '../indexes/collection-index.ts'
import {
  type IndexDefinition,
  readIndexDefinition,
  sameFields,
  sameOptions,
  samePartial
} from '../indexes/index-definition.ts'
import type { Collection } from '../storage/collection.ts'
import { Blocked } from '../transactions/transactions.ts'
import { sameDocument } from '../values/encode.ts'
import { type Document, isDocument, type Value } from '../values/value.ts'
import type { Arguments } from './arguments.ts'
import type { Command, CommandContext, Reply } from './command.ts'

async function createIndexes(args: Arguments, { engine, database, settled }: CommandContext): Promise<Reply> {
  const name = args.string('createIndexes')
  const definitions = args.documents('indexes').map(readIndexDefinition)
  args.ignore('commitQuorum', 'ignoreUnknownIndexOptions')
  args.end()
  if (definitions.length === 0) throw new CommandError(2, 'Must specify at least one index to create')
  return settled((): Reply => {
    const createdCollectionAutomatically = engine.catalog.find(database, name) === undefined
    const collection = engine.catalog.findOrCreate(database, name)
    const numIndexesBefore = collection.indexes.length
    const { busyWith } = collection
    // What is there already waits for no transaction: an application that starts finds its indexes beside open ones.
    const isNew = definitions.some((definition) => !exists(collection, definition))
    if (isNew && busyWith !== null) throw new Blocked(busyWith)
    const undo = collection.keepIndexes()
    try {
      for (const definition of definitions) {
        if (!exists(collection, definition)) collection.addIndex(definition)
      }
    } catch (error) {
      undo()
      throw error
    }
    engine.catalog.save(collection, undo)
    const numIndexesAfter = collection.indexes.length
    const note = numIndexesAfter === numIndexesBefore ? { note: 'all indexes already exist' } : {}
    return { numIndexesBefore, numIndexesAfter, createdCollectionAutomatically, ...note }
  })
}

/** @throws CommandError 85, 86 when there is an index that it contradicts */
function exists(collection: Collection, definition: IndexDefinition): boolean {
  for (const { definition: other } of collection.indexes) {
    const sameKey = sameFields(other, definition)
    if (sameKey && other.name === '_id_') return true
    const same = sameKey && sameOptions(other, definition)
    if (other.name === definition.name) {
      if (same) return true
      throw new CommandError(
        86,
        `An existing index has the same name as the requested index. Requested index: ${definition.name}`
      )
    }
    if (same) throw new CommandError(85, `Index already exists with a different name: ${other.name}`)
    // Over other documents it is another index.
    if (sameKey && samePartial(other, definition)) {
      throw new CommandError(85, `An equivalent index already exists with a different name and options: ${other.name}`)
    }
  }
  return false
}

async function dropIndexes(args: Arguments, { engine, database, settled }: CommandContext): Promise<Reply> {
  const name = args.string(args.any('deleteIndexes') === undefined ? 'dropIndexes' : 'deleteIndexes')
  const wanted = args.any('index') ?? null
  args.end()
  return settled((): Reply => {
    const collection = found(engine.catalog.find(database, name), `${database}.${name}`)
    const nIndexesWas = collection.indexes.length
    const all = (Array.isArray(wanted) ? wanted : [wanted]).flatMap((one) => chosen(collection, one))
    const undo = collection.keepIndexes()
    for (const index of new Set(all)) collection.removeIndex(index)
    engine.catalog.save(collection, undo)
    return { nIndexesWas }
  })
}

function chosen(collection: Collection, wanted: Value): CollectionIndex[] {
  const others = collection.indexes.slice(1)
  if (wanted === '*') return others
  const index = collection.indexes.find(({ definition }) =>
    isDocument(wanted) ? sameDocument(definition.key, wanted) : definition.name === wanted
  )
  if (index === undefined) throw new CommandError(27, 'index not found with the given name or key')
  if (!others.includes(index)) throw new CommandError(72, 'cannot drop _id index')
  return [index]
}

function listIndexes(args: Arguments, { engine, database }: CommandContext): Reply {
  const name = args.string('listIndexes')
  const options = args.cursorOptions()
  args.end()
  const { indexes, namespace } = found(engine.catalog.find(database, name), `${database}.${name}`)
  const listed = indexes.map(({ definition }): Document => new Map([['v', new Int32(2)], ...definition.specification]))
  return { cursor: engine.cursors.open(namespace, listed, options) }
}

function found(collection: Collection | undefined, namespace: string): Collection {
  if (collection !== undefined) return collection
  throw new CommandError(26, `ns does not exist: ${namespace}`)
}

export const indexCommands: Readonly<Record<string, Command>> = {
  createIndexes: { run: createIndexes, inTransaction: false },
  dropIndexes: { run: dropIndexes, inTransaction: false },
  deleteIndexes: { run: dropIndexes, inTransaction: false },
  listIndexes: { run: listIndexes, inTransaction: false }
}
