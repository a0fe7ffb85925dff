/**
 * What a way back would delete, counted while nothing is done: a collection or a field that it would have renamed by then
 * is looked for under the name that it has.
 */

import type { Db } from 'mongodb'
import type { Loss } from 'svc-orm/driver'

export class DocumentLosses {
  readonly #db: Db
  readonly #collectionOf: (entity: string) => string
  readonly #losing: (loss: Loss) => void
  readonly #tables = new Map<string, string>()
  readonly #columns = new Map<string, string>()

  constructor(db: Db, collectionOf: (entity: string) => string, losing: (loss: Loss) => void) {
    this.#db = db
    this.#collectionOf = collectionOf
    this.#losing = losing
  }

  renameTable(from: string, to: string): void {
    this.#tables.set(to, this.#table(from))
  }

  renameColumn(entity: string, from: string, to: string): void {
    this.#columns.set(this.#key(entity, to), this.#column(entity, from))
  }

  async table(entity: string): Promise<void> {
    await this.#count(entity, null, {})
  }

  async column(entity: string, name: string): Promise<void> {
    await this.#count(entity, name, { [this.#column(entity, name)]: { $ne: null } })
  }

  /** Of work that no preview does. */
  uncounted(migration: string): void {
    this.#losing({ entity: migration, column: null, rows: null })
  }

  async #count(entity: string, column: string | null, filter: object): Promise<void> {
    const rows = await this.#db.collection(this.#collectionOf(this.#table(entity))).countDocuments(filter)
    if (rows > 0) this.#losing({ entity, column, rows })
  }

  #table(entity: string): string {
    return this.#tables.get(entity) ?? entity
  }

  #column(entity: string, name: string): string {
    return this.#columns.get(this.#key(entity, name)) ?? name
  }

  #key(entity: string, name: string): string {
    return `${this.#table(entity)}.${name}`
  }
}
