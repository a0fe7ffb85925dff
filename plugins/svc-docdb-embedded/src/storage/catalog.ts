/** All collections by database and name. A collection comes into being with its first document, or by `create`. */
import { randomUUID } from 'node:crypto'
import { Blocked } from '../transactions/blocked.ts'
import { Moments } from '../transactions/moments.ts'
import type { Document } from '../values/value.ts'
import { Collection, checkCollectionName, ID_INDEX } from './collection.ts'
import type { Journal } from './journal.ts'

export class Catalog {
  readonly moments = new Moments()
  readonly journal: Journal
  readonly #databases = new Map<string, Map<string, Collection>>()

  constructor(journal: Journal) {
    this.journal = journal
  }

  get databases(): readonly string[] {
    return [...this.#databases.keys()].sort()
  }

  find(database: string, name: string): Collection | undefined {
    return this.#databases.get(database)?.get(name)
  }

  collections(database: string): Collection[] {
    return [...(this.#databases.get(database)?.values() ?? [])]
  }

  /** @throws CommandError 73 for a name no collection can have */
  findOrCreate(database: string, name: string): Collection {
    return this.find(database, name) ?? this.create(database, name, new Map())
  }

  create(database: string, name: string, options: Document): Collection {
    checkCollectionName(database, name)
    const collection = this.adopt(randomUUID(), database, name, options)
    this.save(collection)
    return collection
  }

  /** Takes a collection in without writing it down: it comes from the file. */
  adopt(id: string, database: string, name: string, options: Document): Collection {
    const { moments, journal } = this
    const collection = new Collection({ id, database, name, options, moments, journal })
    const siblings = this.#databases.get(database) ?? new Map<string, Collection>()
    this.#databases.set(database, siblings.set(name, collection))
    return collection
  }

  /** @throws Blocked while a transaction has changes in it */
  drop(collection: Collection): void {
    const { busyWith } = collection
    if (busyWith !== null) throw new Blocked(busyWith)
    const siblings = this.#databases.get(collection.database)
    siblings?.delete(collection.name)
    if (siblings?.size === 0) this.#databases.delete(collection.database)
    this.journal.dropCollection(collection.id)
  }

  /** Writes down what the collection is: after its creation, and after a change of its indexes. */
  save({ id, database, name, options, indexes }: Collection): void {
    const specifications = indexes.map(({ definition }) => definition).filter((definition) => definition !== ID_INDEX)
    this.journal.saveCollection({
      id,
      description: new Map<string, Document | string | Document[]>([
        ['database', database],
        ['name', name],
        ['options', options],
        ['indexes', specifications.map(({ specification }) => specification)]
      ])
    })
  }
}
