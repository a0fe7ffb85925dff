/**
 * The rows of one table in memory, by key, with its unique indexes. Rows are kept as they are put and never changed: a
 * change puts another one.
 */
import { UniqueViolation } from '../errors.ts'
import type { Condition } from '../table/condition.ts'
import { rowMatcher } from '../table/row-matcher.ts'
import { type ItemIndexPlan, keyOf, recordOf, type TablePlan } from '../table/table-plan.ts'

type Row = Readonly<Record<string, unknown>>

/** What became of a row; `undefined` where there is none. */
export interface RowChange {
  readonly before: Row | undefined
  readonly after: Row | undefined
}

interface UniqueIndex {
  readonly columns: readonly string[]
  readonly items: ItemIndexPlan | null
  /** Values of the columns, or an item, to the key of the row that holds them. */
  readonly holders: Map<string, string>
}

export class MemoryRows {
  readonly plan: TablePlan
  readonly #key: readonly string[]
  readonly #rows: Map<string, Row>
  readonly #unique: readonly UniqueIndex[]
  /** Rows as they were before their first change; `null` while nothing asks for them. */
  #journal: Map<string, Row | undefined> | null
  #version = 0

  /** @param from rows to begin with, whose changes are then kept apart; they stay as they are */
  constructor(plan: TablePlan, from: MemoryRows | null = null) {
    this.plan = plan
    this.#key = keyOf(plan)
    this.#rows = new Map(from === null ? [] : from.#rows)
    this.#journal = from === null ? null : new Map(from.#journal)
    this.#unique =
      from === null ? uniqueIndexes(plan) : from.#unique.map((each) => ({ ...each, holders: new Map(each.holders) }))
  }

  /** A table of its own that begins with these rows. */
  copy(): MemoryRows {
    return new MemoryRows(this.plan, this)
  }

  /** Another one after every change. */
  get version(): number {
    return this.#version
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  /** The key of a row as text. */
  keyText(row: Row): string {
    const [only = 'id', ...others] = this.#key
    return others.length === 0 ? String(row[only]) : JSON.stringify(this.#key.map((name) => row[name]))
  }

  /** The row that holds the same values in the columns of a unique index, or the same key. */
  holder(row: Row, columns: readonly string[]): Row | undefined {
    if (isSame(columns, this.#key)) return this.#rows.get(this.keyText(row))
    const index = this.#unique.find((each) => each.items === null && isSame(each.columns, columns))
    const [value] = index === undefined ? [] : valuesOf(row, index)
    return value === undefined ? undefined : this.#held(index?.holders.get(value))
  }

  /** Oldest first; by an index where a condition names a key or a unique column. */
  matches(conditions: readonly Condition[]): Row[] {
    const matches = rowMatcher(conditions)
    for (const condition of conditions) {
      if (condition.operator !== 'eq') continue
      const found = this.#lookUp(condition.field, condition.value)
      if (found !== null) return found.filter(matches)
    }
    return [...this.#rows.values()].filter(matches)
  }

  /** Adds a row. @throws UniqueViolation, and nothing is changed */
  insert(row: Row): void {
    if (this.#rows.has(this.keyText(row))) throw new UniqueViolation(recordOf(this.plan), this.#key)
    this.replace(row)
  }

  /** Puts a row in the place of the one with its key, if any. @throws UniqueViolation, and nothing is changed */
  replace(row: Row): void {
    const key = this.keyText(row)
    for (const index of this.#unique) {
      for (const value of valuesOf(row, index)) {
        const holder = index.holders.get(value)
        if (holder !== undefined && holder !== key) throw new UniqueViolation(recordOf(this.plan), index.columns)
      }
    }
    this.#put(key, row)
  }

  remove(key: string): void {
    if (this.#rows.has(key)) this.#put(key, undefined)
  }

  /** Runs several changes; when one throws, none was made. */
  atomically(change: () => void): void {
    const outer = this.#journal
    const own = new Map<string, Row | undefined>()
    this.#journal = own
    try {
      change()
    } catch (error) {
      this.#journal = null
      for (const [key, row] of own) this.#put(key, row)
      own.clear()
      throw error
    } finally {
      this.#journal = outer
      for (const [key, row] of own) if (outer?.has(key) === false) outer.set(key, row)
    }
  }

  /** Of a copy: what became of each row since, by key. */
  changes(): Map<string, RowChange> {
    return new Map([...(this.#journal ?? [])].map(([key, before]) => [key, { before, after: this.#rows.get(key) }]))
  }

  #put(key: string, row: Row | undefined): void {
    this.#version += 1
    const before = this.#rows.get(key)
    if (this.#journal?.has(key) === false) this.#journal.set(key, before)
    for (const index of this.#unique) {
      for (const value of before === undefined ? [] : valuesOf(before, index)) {
        if (index.holders.get(value) === key) index.holders.delete(value)
      }
      for (const value of row === undefined ? [] : valuesOf(row, index)) index.holders.set(value, key)
    }
    if (row === undefined) this.#rows.delete(key)
    else this.#rows.set(key, row)
  }

  /** @returns `null` where no index answers */
  #lookUp(column: string, value: unknown): Row[] | null {
    const row = { [column]: value }
    if (!isSame([column], this.#key) && !this.#unique.some((each) => isSame(each.columns, [column]))) return null
    const found = this.holder(row, [column])
    return found === undefined ? [] : [found]
  }

  #held(key: string | undefined): Row | undefined {
    return key === undefined ? undefined : this.#rows.get(key)
  }
}

function uniqueIndexes({ indexes = [], itemIndexes = [] }: TablePlan): UniqueIndex[] {
  const ofColumns = indexes.filter(({ unique }) => unique === true)
  return [
    ...ofColumns.map(({ columns }) => ({
      columns: columns.map((each) => (typeof each === 'string' ? each : each[0])),
      items: null,
      holders: new Map<string, string>()
    })),
    ...itemIndexes
      .filter(({ unique }) => unique === true)
      .map((items) => ({ columns: [items.column], items, holders: new Map<string, string>() }))
  ]
}

/** What a row holds of an index; a row with null in one of the columns never collides. */
function valuesOf(row: Row, { columns, items }: UniqueIndex): string[] {
  if (items === null) {
    const values = columns.map((name) => row[name] ?? null)
    return values.includes(null) ? [] : [JSON.stringify(values)]
  }
  const held = (row[items.column] ?? []) as readonly Row[]
  return held.map((item) => JSON.stringify(items.fields === undefined ? item : items.fields.map((name) => item[name])))
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each) => b.includes(each))
}
