/**
 * The rows of one table in memory, by key, with its unique indexes. Rows are kept as they are put and never changed: a
 * change puts another one.
 */
import { UniqueViolation } from '../errors.ts'
import { valuesText } from '../table/compare-held.ts'
import type { Condition, ConditionValue } from '../table/condition.ts'
import { type RowsOf, rowMatcher } from '../table/row-matcher.ts'
import { columnName, type ItemIndexPlan, keyOf, recordOf, type TablePlan } from '../table/table-plan.ts'

/** A row before and after a change; `undefined` where there is none. */
export type RowChange = readonly [key: string, before: object | undefined, after: object | undefined]

type Values = Readonly<Record<string, unknown>>

interface UniqueIndex {
  readonly columns: readonly string[]
  readonly items: ItemIndexPlan | null
  /** Values of the columns, or an item, to the key of the row that holds them. */
  readonly holders: Map<unknown, string>
}

export class MemoryRows<Row extends object = object> {
  readonly plan: TablePlan
  readonly #key: readonly string[]
  readonly #rows: Map<string, Row>
  readonly #unique: readonly UniqueIndex[]
  /** Columns that together name one row. */
  readonly #lookups: readonly (readonly string[])[]
  /** The column of a key that is one column. */
  readonly #onlyKey: string | null
  /** Of unique indexes on one column. */
  readonly #holdersOf: ReadonlyMap<string, Map<unknown, string>>
  /** Rows as they were before their first change; `null` while nothing asks for them. */
  #journal: Map<string, Row | undefined> | null
  #version = 0

  /** @param from rows to begin with, whose changes are then kept apart; they stay as they are */
  constructor(plan: TablePlan, from: MemoryRows<Row> | null = null) {
    this.plan = plan
    this.#key = keyOf(plan)
    this.#rows = new Map(from === null ? [] : from.#rows)
    this.#journal = from === null ? null : new Map(from.#journal)
    const unique = from === null ? uniqueIndexes(plan) : from.#unique
    this.#unique = unique.map((each) => ({ ...each, holders: new Map(each.holders) }))
    this.#lookups = [this.#key, ...this.#unique.filter(({ items }) => items === null).map(({ columns }) => columns)]
    this.#onlyKey = this.#key.length === 1 ? (this.#key[0] as string) : null
    const ofOne = this.#unique.filter(({ items, columns }) => items === null && columns.length === 1)
    this.#holdersOf = new Map(ofOne.map(({ columns, holders }) => [columns[0] as string, holders]))
  }

  /** A table of its own that begins with these rows. */
  copy(): MemoryRows<Row> {
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
  keyText(row: object): string {
    if (this.#onlyKey !== null) return keyTextOf((row as Values)[this.#onlyKey])
    return JSON.stringify(this.#key.map((name) => (row as Values)[name]))
  }

  /** The row that holds the same values in the columns of a unique index, or the same key. */
  holder(row: object, columns: readonly string[]): Row | undefined {
    if (isSame(columns, this.#key)) return this.#rows.get(this.keyText(row))
    const index = this.#unique.find((each) => each.items === null && isSame(each.columns, columns))
    const [value] = index === undefined ? [] : valuesOf(row, index)
    const key = value === undefined ? undefined : index?.holders.get(value)
    return key === undefined ? undefined : this.#rows.get(key)
  }

  /** Whether values of this column name one row each. */
  isUnique(column: string): boolean {
    return column === this.#onlyKey || this.#holdersOf.has(column)
  }

  /** The row that holds a value in a column for which `isUnique` holds. */
  byValue(column: string, value: ConditionValue): Row | undefined {
    if (column === this.#onlyKey) return this.#rows.get(keyTextOf(value))
    const key = this.#holdersOf.get(column)?.get(indexedValue(value))
    return key === undefined ? undefined : this.#rows.get(key)
  }

  /** Oldest first; by an index where conditions name the columns of the key or of a unique index. */
  matches(conditions: readonly Condition[], rowsOf?: RowsOf): Row[] {
    const wanted: Record<string, unknown> = {}
    for (const each of conditions) if (each.operator === 'eq') wanted[each.field] = each.value
    const columns = this.#lookups.find((names) => names.every((name) => wanted[name] !== undefined))
    if (columns === undefined) return [...this.#rows.values()].filter(rowMatcher(conditions, rowsOf))
    const row = this.holder(wanted, columns)
    if (row === undefined) return []
    // A single condition is the one that names the row.
    return conditions.length === 1 || rowMatcher(conditions, rowsOf)(row) ? [row] : []
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

  clear(): void {
    for (const key of [...this.#rows.keys()]) this.#put(key, undefined)
  }

  /** Runs several changes; when one throws, or the check of all, none was made. */
  atomically(change: () => void, check?: (changes: readonly RowChange[]) => void): void {
    const outer = this.#journal
    const own = new Map<string, Row | undefined>()
    this.#journal = own
    try {
      change()
      check?.(this.#changesIn(own))
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

  /** Of a copy: each row that was changed since as it was before and as it is, by key; `undefined` where there is none. */
  changes(): readonly (readonly [key: string, before: Row | undefined, after: Row | undefined])[] {
    return this.#changesIn(this.#journal ?? new Map())
  }

  #changesIn(journal: ReadonlyMap<string, Row | undefined>) {
    return [...journal].map(([key, before]) => [key, before, this.#rows.get(key)] as const)
  }

  #put(key: string, row: Row | undefined): void {
    this.#version += 1
    const before = this.#rows.get(key)
    if (this.#journal?.has(key) === false) this.#journal.set(key, before)
    for (const index of this.#unique) {
      for (const value of valuesOf(before, index)) {
        if (index.holders.get(value) === key) index.holders.delete(value)
      }
      for (const value of valuesOf(row, index)) index.holders.set(value, key)
    }
    if (row === undefined) this.#rows.delete(key)
    else this.#rows.set(key, row)
  }
}

function uniqueIndexes({ indexes = [], itemIndexes = [] }: TablePlan): UniqueIndex[] {
  const holders = new Map<unknown, string>()
  const ofColumns = indexes.filter(({ unique }) => unique === true)
  const ofItems = itemIndexes.filter(({ unique }) => unique === true)
  return [
    ...ofColumns.map(({ columns }) => ({ columns: columns.map(columnName), items: null, holders })),
    ...ofItems.map((items) => ({ columns: [items.column], items, holders }))
  ]
}

/** What a row holds of an index; a row with null in one of the columns never collides. */
function valuesOf(row: object | undefined, { columns, items }: UniqueIndex): unknown[] {
  if (row === undefined) return []
  const held = row as Values
  if (items === null) {
    const values = columns.map((name) => held[name] ?? null)
    if (values.includes(null)) return []
    return [values.length === 1 ? indexedValue(values[0]) : valuesText(values)]
  }
  return ((held[items.column] ?? []) as readonly Values[]).map((item) =>
    JSON.stringify(items.fields === undefined ? item : items.fields.map((name) => item[name]))
  )
}

/** The one value of a key as text. */
function keyTextOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify([value])
}

/** A value as the index of one column holds it. No text of a column begins with NUL. */
function indexedValue(value: unknown): unknown {
  return typeof value === 'object' ? `\0${JSON.stringify(value)}` : value
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each) => b.includes(each))
}
