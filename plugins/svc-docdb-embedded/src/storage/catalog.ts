/** All collections by database and name. A collection is created with its first document, or by `create`. */
import { randomUUID } from 'node:crypto'
import { CommandError } from '../failure/command-error.ts'
import { Blocked, Transactions } from '../transactions/transactions.ts'
import type { Document } from '../values/value.ts'
import { Collection, checkCollectionName } from './collection.ts'
import type { Journal } from './journal.ts'

export class Catalog {
  readonly transactions = new Transactions()
  readonly journal: Journal
  readonly #databases = new Map<string, Map<string, Collection>>()
  #failures = 0

  constructor(journal: Journal) {
    this.journal = journal
  }

  get databases(): readonly string[] {
    return [...this.#databases.keys()].sort()
  }

  /** Number of flushes that failed. */
  get failures(): number {
    return this.#failures
  }

  /**
   * Makes every change durable. What cannot be is undone, and transactions that may have seen it are aborted.
   *
   * @param since `failures` when the caller began: a failure in between has undone its changes as well
   * @throws CommandError 14031
   */
  flush(since: number): void {
    try {
      this.journal.flush()
    } catch (error) {
      this.#failures += 1
      for (const transaction of [...this.transactions.active]) this.transactions.abort(transaction)
      this.journal.undo()
      throw error
    }
    if (this.#failures !== since) throw new CommandError(14_031, 'the data file could not be written meanwhile')
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
    this.save(collection, () => this.#remove(collection))
    return collection
  }

  /** Adds a collection that was read from the file. */
  adopt(id: string, database: string, name: string, options: Document): Collection {
    const { transactions, journal } = this
    const collection = new Collection({ id, database, name, options, transactions, journal })
    this.#add(collection)
    return collection
  }

  /** @throws Blocked while a transaction has changes in it */
  drop(collection: Collection): void {
    const { busyWith } = collection
    if (busyWith !== null) throw new Blocked(busyWith)
    this.#remove(collection)
    this.journal.dropCollection(collection.id, () => this.#add(collection))
  }

  /** Saves the description of a collection: after its creation, and after a change of its indexes. */
  save({ id, database, name, options, indexes }: Collection, undo: () => void): void {
    const [, ...added] = indexes.map(({ definition }) => definition.specification)
    const description: Document = new Map(Object.entries({ database, name, options, indexes: added }))
    this.journal.saveCollection({ id, description }, undo)
  }

  #add(collection: Collection): void {
    const siblings = this.#databases.get(collection.database) ?? new Map<string, Collection>()
    this.#databases.set(collection.database, siblings.set(collection.name, collection))
  }

  #remove({ database, name }: Collection): void {
    const siblings = this.#databases.get(database)
    siblings?.delete(name)
    if (siblings?.size === 0) this.#databases.delete(database)
  }
}
