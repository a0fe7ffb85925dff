/**
 * Inserts of rows with the same unique value, in the order in which they came. The server keeps one and refuses the others
 * in any case; but those at once wait for each other on a server over PostgreSQL, which gives up one of them a second.
 */
import { columnOf, type TablePlan } from 'svc-stores/table'
import { uniqueIndexes } from '../schema/collection-indexes.ts'

export class EqualRows {
  /** The columns of each unique index that holds single values. */
  readonly #unique: readonly (readonly string[])[]
  /** The last insert, by index and values. */
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(plan: TablePlan) {
    const isPlain = (name: string) => columnOf(plan, name).type !== 'json'
    this.#unique = uniqueIndexes(plan)
      .map(({ columns }) => columns)
      .filter((columns) => columns.every(isPlain))
  }

  /** Runs `insert` once the inserts before it of such a row have ended, whichever way. */
  async inTurn<T>(row: object, insert: () => Promise<T>): Promise<T> {
    const names = this.#namesOf(row as Readonly<Record<string, unknown>>)
    const before = names.map((name) => this.#last.get(name)).filter((each) => each !== undefined)
    const inserted = before.length === 0 ? insert() : Promise.allSettled(before).then(insert)
    for (const name of names) this.#last.set(name, inserted)
    try {
      return await inserted
    } finally {
      for (const name of names) if (this.#last.get(name) === inserted) this.#last.delete(name)
    }
  }

  /** Null never collides. */
  #namesOf(row: Readonly<Record<string, unknown>>): readonly string[] {
    const names: string[] = []
    for (const [place, columns] of this.#unique.entries()) {
      if (columns.some((column) => (row[column] ?? null) === null)) continue
      names.push(`${place} ${columns.map((column) => String(row[column])).join(' ')}`)
    }
    return names
  }
}
