/** A table as data, the same for every engine. What it says is created when the connection opens. */
import { hash } from 'node:crypto'
import type { IndexMethod, ReferenceRule } from 'svc-stores/table'

/**
 * `text` compares by code point; `integer` is a safe integer; `bigint` is one of 64 bits, read and written as text; `date` is a moment in milliseconds; `json` is any JSON
 * that text can hold; `json-text` is JSON kept as it was written, with the order of its keys and characters that no text
 * column takes, and is never searched.
 * How an engine keeps a type, and how it gives it back, is said by its `SqlEngine`.
 */
export type ColumnType = 'text' | 'integer' | 'bigint' | 'float' | 'boolean' | 'date' | 'bytes' | 'json' | 'json-text'

/** One column of a table. */
export interface ColumnDefinition {
  readonly name: string
  readonly type: ColumnType
  /** Default `false`. */
  readonly nullable?: boolean
  /** For rows that were there before the column, and inserts without it; of a `date` as ISO 8601 text, of a `bigint` as its digits. */
  readonly default?: string | number | boolean
  /** Holds the folded text of this column: it is not added to a table that exists, as it would be empty. */
  readonly folds?: string
  /** Its name before: it is not added while a column of that name exists, which a migration is to rename. */
  readonly was?: string
}

/** An index of a table. */
export interface TableIndex {
  /** In order; null sorts lowest. */
  readonly columns: readonly (string | readonly [column: string, direction: 'asc' | 'desc'])[]
  /** Rows with null in one of the columns never collide. Default `false`. */
  readonly unique?: boolean
  /** A column: rows with null in it are left out. Short for one condition of `where`. */
  readonly held?: string
  /** Of one column. Default: by order. */
  readonly method?: IndexMethod
  /** What its rows meet. The index is smaller, and is chosen only where a query asks for these. */
  readonly where?: readonly RowCondition[]
}

/** A condition on the rows of an index. A value is as a default has it. */
export type RowCondition =
  | { readonly field: string; readonly operator: 'null'; readonly value: boolean }
  | {
      readonly field: string
      readonly operator: 'eq' | 'gt' | 'gte' | 'lt' | 'lte'
      readonly type: ColumnType
      readonly value: string | number | boolean
    }

/** A foreign key of one column. */
export interface TableReference {
  readonly column: string
  readonly table: string
  /** The column that it names there. */
  readonly key: string
  readonly onDelete: ReferenceRule
  /** Checked at the commit. Default `false`. */
  readonly deferrable?: boolean
}

/** A table: columns, primary key, indexes and foreign keys. */
export interface TableDefinition {
  readonly name: string
  /** Its name before, as of a column. */
  readonly was?: string
  readonly columns: readonly ColumnDefinition[]
  /** Default `['id']`. */
  readonly primaryKey?: readonly string[]
  readonly indexes?: readonly TableIndex[]
  /** Made with the table, or with their column. */
  readonly references?: readonly TableReference[]
  /** Somebody else's: never made, changed or dropped. Default `false`. */
  readonly existing?: boolean
}

/** The columns that an index names: in order, then those of its condition. */
export function columnsOfIndex(index: TableIndex): readonly string[] {
  const keys = index.columns.map((column) => (typeof column === 'string' ? column : column[0]))
  return [...keys, ...rowsOfIndex(index).map(({ field }) => field)]
}

/** What the rows of an index meet; of one of all rows, nothing. */
export function rowsOfIndex({ held, where = [] }: TableIndex): readonly RowCondition[] {
  return held === undefined ? where : [{ field: held, operator: 'null', value: false }, ...where]
}

/** PostgreSQL cuts names at 63 bytes, in silence. */
const READABLE = 48

/** The name that an index gets in the database: readable, its own, and the same at every boot. */
export function indexName(table: string, index: TableIndex): string {
  const { columns, unique = false, method } = index
  const parts = columns.map((column) => (typeof column === 'string' ? column : column.join('_')))
  const readable = [table, ...parts].join('_').slice(0, READABLE)
  const whole = JSON.stringify([
    table,
    columns,
    unique,
    ...rowsText(rowsOfIndex(index)),
    ...(method === undefined ? [] : [{ method }])
  ])
  return `${readable}_${hash('sha256', whole).slice(0, 8)}_${unique ? 'key' : 'idx'}`
}

/** The name that a foreign key gets when it is made; a table or a column that is renamed later keeps it. */
export function referenceName(table: string, { column, table: target }: TableReference): string {
  const readable = [table, column].join('_').slice(0, READABLE)
  return `${readable}_${hash('sha256', JSON.stringify([table, column, target])).slice(0, 8)}_fkey`
}

/** One column that is held is its name, as it was before there were other conditions. */
function rowsText(where: readonly RowCondition[]): readonly unknown[] {
  const [only] = where
  if (only === undefined) return []
  return where.length === 1 && only.operator === 'null' && !only.value ? [only.field] : [where]
}
