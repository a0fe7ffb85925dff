/**
 * The rows of one table in memory, by key, with its unique indexes. Rows are stored as they are put and never changed: a
 * change puts another one.
 */
import { UniqueViolation } from '../errors.ts'
import { valuesText } from '../table/compare-held.ts'
import type { Condition, ConditionValue, ListCondition } from '../table/condition.ts'
import { indexConditions, rowsOfIndex, saysAll, uniqueColumns } from '../table/index-conditions.ts'
import { type RowsOf, rowMatcher } from '../table/row-matcher.ts'
import { type IndexCondition, type ItemIndexPlan, keyOf, recordOf, type TablePlan } from '../table/table-plan.ts'

/** A row before and after a change; `undefined` where there is none. */
export type RowChange = readonly [key: string, before: object | undefined, after: object | undefined]

type Values = Readonly<Record<string, unknown>>

interface UniqueIndex {
  readonly columns: readonly string[]
  readonly items: ItemIndexPlan | null
  /** What its rows meet besides holding the columns. */
  readonly of: readonly IndexCondition[]
  /** Whether it holds a row; `null`: it holds all. */
  readonly holds: ((row: object) => boolean) | null
  /** Values of the columns, or an item, to the key of the row that holds them. */
  readonly holders: Map<unknown, string>
}

type Lookup = Pick<UniqueIndex, 'columns' | 'of'> & { readonly holders: UniqueIndex['holders'] | null }

export class MemoryRows<Row extends object = object> {
  readonly plan: TablePlan
  readonly #key: readonly string[]
  readonly #rows: Map<string, Row>
  readonly #unique: readonly UniqueIndex[]
  /** What names one row. */
  readonly #lookups: readonly Lookup[]
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
    const ofColumns = this.#unique.filter(({ items }) => items === null)
    this.#lookups = [{ columns: this.#key, of: [], holders: null }, ...ofColumns]
    this.#onlyKey = this.#key.length === 1 ? (this.#key[0] as string) : null
    const ofOne = ofColumns.filter(({ columns, of }) => columns.length === 1 && of.length === 0)
    this.#holdersOf = new Map(ofOne.map(({ columns, holders }) => [columns[0] as string, holders]))
  }

  /** Its own table that begins with these rows. */
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
    for (const index of this.#unique) {
      const [value] = index.items === null && isSame(index.columns, columns) ? valuesOf(row, index) : []
      const key = value === undefined ? undefined : index.holders.get(value)
      if (key !== undefined) return this.#rows.get(key)
    }
    return undefined
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

  /** Oldest first, or as conditions list their keys; by an index where they name the columns of the key or of a unique index. */
  matches(conditions: readonly Condition[], rowsOf?: RowsOf): Row[] {
    const wanted: Record<string, unknown> = {}
    for (const each of conditions) if (each.operator === 'eq') wanted[each.field] = each.value
    const named = this.#lookups.find(
      ({ columns, of }) => columns.every((name) => wanted[name] !== undefined) && saysAll(conditions, of)
    )
    if (named === undefined) return this.#among(conditions).filter(rowMatcher(conditions, rowsOf))
    const { columns, holders } = named
    const key = holders === null ? this.keyText(wanted) : holders.get(keyOfValues(columns.map((name) => wanted[name])))
    const row = key === undefined ? undefined : this.#rows.get(key)
    if (row === undefined) return []
    // A single condition is the one that names the row.
    return conditions.length === 1 || rowMatcher(conditions, rowsOf)(row) ? [row] : []
  }

  /** Those that may meet conditions: of a list of keys, where there is one. */
  #among(conditions: readonly Condition[]): Row[] {
    const listed = conditions.find(
      (each): each is ListCondition => each.operator === 'in' && each.field === this.#onlyKey && areTexts(each.values)
    )
    if (listed === undefined) return [...this.#rows.values()]
    return [...new Set(listed.values.map(keyTextOf))].flatMap((key) => this.#rows.get(key) ?? [])
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

/** The key is looked up by itself, and not among them. */
function uniqueIndexes(plan: TablePlan): UniqueIndex[] {
  const holders = new Map<unknown, string>()
  const ofColumns = uniqueColumns(plan).flatMap(({ index, columns, of }) => {
    if (index === null) return []
    const holds = indexConditions(index).length === 0 ? null : rowMatcher(rowsOfIndex(index))
    return [{ columns, of, items: null, holds, holders }]
  })
  const ofItems = (plan.itemIndexes ?? []).filter(({ unique }) => unique === true)
  return [...ofColumns, ...ofItems.map((items) => ({ columns: [items.column], of: [], items, holds: null, holders }))]
}

/** What a row holds of an index; a row with null in one of the columns never collides. */
function valuesOf(row: object | undefined, { columns, items, holds }: UniqueIndex): unknown[] {
  if (row === undefined || holds?.(row) === false) return []
  const held = row as Values
  if (items === null) {
    const values = columns.map((name) => held[name] ?? null)
    return values.includes(null) ? [] : [keyOfValues(values)]
  }
  return ((held[items.column] ?? []) as readonly Values[]).map((item) =>
    JSON.stringify(items.fields === undefined ? item : items.fields.map((name) => item[name]))
  )
}

function keyOfValues(values: readonly unknown[]): unknown {
  return values.length === 1 ? indexedValue(values[0]) : valuesText(values)
}

/** The one value of a key as text. */
function keyTextOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify([value])
}

function areTexts(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string')
}

/** A value as the index of one column holds it. No text of a column begins with NUL. */
function indexedValue(value: unknown): unknown {
  return typeof value === 'object' ? `\0${JSON.stringify(value)}` : value
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each) => b.includes(each))
}
