/**
 * The rows of one entity in memory, with its unique indexes. Rows are kept as
 * they are put and never changed: a change puts another one.
 */
import type { ParsedChanges } from '../criteria/changes.ts'
import type { StoredRow } from '../driver/entity-gateway.ts'
import type { CompiledEntity } from '../entity/compiled-entity.ts'
import { UniqueViolation } from '../errors.ts'
import { changeRow } from './change-row.ts'
import { copyRow } from './copy-row.ts'

/** What became of a row; `undefined` where there is none. */
export interface RowChange {
  readonly before: StoredRow | undefined
  readonly after: StoredRow | undefined
}

interface UniqueIndex {
  readonly fields: readonly string[]
  /** Values of the fields to the id of the row that holds them. */
  readonly holders: Map<string, string>
}

export class MemoryTable {
  readonly #entity: CompiledEntity
  readonly #rows: Map<string, StoredRow>
  readonly #unique: readonly UniqueIndex[]
  /** Rows as they were before their first change; `null` while nobody asks. */
  #journal: Map<string, StoredRow | undefined> | null
  #version = 0

  /** @param from a table to begin with, whose changes are then kept apart; it stays as it is */
  constructor(entity: CompiledEntity, from: MemoryTable | null = null) {
    this.#entity = entity
    this.#rows = new Map(from === null ? [] : from.#rows)
    this.#journal = from === null ? null : new Map(from.#journal)
    this.#unique =
      from === null
        ? entity.indexes.filter(({ unique }) => unique).map(({ fields }) => ({ fields, holders: new Map() }))
        : from.#unique.map(({ fields, holders }) => ({ fields, holders: new Map(holders) }))
  }

  /** A table of its own that begins with these rows. */
  copy(): MemoryTable {
    return new MemoryTable(this.#entity, this)
  }

  /** Another one after every change. */
  get version(): number {
    return this.#version
  }

  get(id: string): StoredRow | undefined {
    return this.#rows.get(id)
  }

  rows(): StoredRow[] {
    return [...this.#rows.values()]
  }

  /** The row that holds the same values in the fields of a unique index, or the same id. */
  holder(row: StoredRow, key: readonly string[]): StoredRow | undefined {
    if (key.length === 1 && key[0] === 'id') return this.#rows.get(row.id)
    const index = this.#unique.find(
      ({ fields }) => fields.length === key.length && fields.every((each) => key.includes(each))
    )
    const values = keyOf(row, index?.fields ?? [])
    const id = values === null ? undefined : index?.holders.get(values)
    return id === undefined ? undefined : this.#rows.get(id)
  }

  /** Adds a row. @throws UniqueViolation, and nothing is changed */
  insert(row: StoredRow): void {
    if (this.#rows.has(row.id)) throw new UniqueViolation(this.#entity.name, ['id'])
    this.#replace(row)
  }

  /** @returns the row as it is now @throws UniqueViolation, InvalidValue, and nothing is changed */
  change(row: StoredRow, changes: ParsedChanges): StoredRow {
    const changed = copyRow(changeRow(row, changes, this.#entity.fields))
    this.#replace(changed)
    return changed
  }

  /** Puts a row in the place of the one with its id, if any. @throws UniqueViolation, and nothing is changed */
  #replace(row: StoredRow): void {
    for (const { fields, holders } of this.#unique) {
      const key = keyOf(row, fields)
      const holder = key === null ? undefined : holders.get(key)
      if (holder !== undefined && holder !== row.id) throw new UniqueViolation(this.#entity.name, fields)
    }
    this.#put(row.id, row)
  }

  remove(id: string): void {
    if (this.#rows.has(id)) this.#put(id, undefined)
  }

  /** Runs several changes; when one throws, none was made. */
  atomically(change: () => void): void {
    const outer = this.#journal
    const own = new Map<string, StoredRow | undefined>()
    this.#journal = own
    try {
      change()
    } catch (error) {
      this.#journal = null
      for (const [id, row] of own) this.#put(id, row)
      own.clear()
      throw error
    } finally {
      this.#journal = outer
      for (const [id, row] of own) if (outer?.has(id) === false) outer.set(id, row)
    }
  }

  /** Of a copy: what became of each row since, by id. */
  changes(): Map<string, RowChange> {
    return new Map([...(this.#journal ?? [])].map(([id, before]) => [id, { before, after: this.#rows.get(id) }]))
  }

  #put(id: string, row: StoredRow | undefined): void {
    this.#version += 1
    const before = this.#rows.get(id)
    if (this.#journal?.has(id) === false) this.#journal.set(id, before)
    for (const { fields, holders } of this.#unique) {
      const left = before === undefined ? null : keyOf(before, fields)
      const taken = row === undefined ? null : keyOf(row, fields)
      if (left !== null && holders.get(left) === id) holders.delete(left)
      if (taken !== null) holders.set(taken, id)
    }
    if (row === undefined) this.#rows.delete(id)
    else this.#rows.set(id, row)
  }
}

/** `null` where one of the fields holds null: such a row never collides. */
function keyOf(row: StoredRow, fields: readonly string[]): string | null {
  const values = fields.map((name) => row[name] ?? null)
  return values.includes(null) ? null : JSON.stringify(values)
}
