/**
 * A table as data, the same for every engine: its columns, its key, and the indexes that its queries need. A driver
 * makes what a plan says when its connection opens.
 */

/**
 * What a column holds, as rows carry it.
 *
 * - `text`: compared by code point
 * - `id`: text that `Database.ids` gives; MongoDB keeps an `ObjectId`
 * - `integer`: a safe integer; `float`: a finite number; `bigint`: an integer of 64 bits, as JavaScript's `bigint`
 * - `time`: epoch milliseconds; MongoDB keeps a `Date`
 * - `date`: a `Date`
 * - `json`: JSON that queries may look into
 * - `bytes`: a `Uint8Array`, of whatever class; never compared
 * - `document`: JSON of a caller, given back as it came, with the order of its keys and any character; never searched
 * - `words`: words of a text, as `wordsText` makes them, for an index with the method `words`; what a row that is read has
 *   there is up to the engine
 */
export type ColumnType =
  | 'text'
  | 'id'
  | 'integer'
  | 'bigint'
  | 'float'
  | 'boolean'
  | 'time'
  | 'date'
  | 'json'
  | 'bytes'
  | 'document'
  | 'words'

export interface ColumnPlan {
  readonly name: string
  readonly type: ColumnType
  /** The column holds a list of such values, of any type but `bigint` and `bytes`. Default `false`. */
  readonly list?: boolean
  /** Default `false`. */
  readonly nullable?: boolean
  /** Of a `bigint`: its values count this many decimals. Said to migrations, which keep what a value means. Default 0. */
  readonly scale?: number
  /** For rows that were there before the column; of a `date` as ISO 8601 text, of a `bigint` as its digits. */
  readonly default?: string | number | boolean
  /** Often asked with `contains` and `starts`: SQL keeps a folded copy. */
  readonly searched?: boolean
  /**
   * Holds the folded text of this column (see `fold`), or its words where the type is `words`. Whoever writes rows keeps it,
   * so that a boot adds none beside rows.
   */
  readonly folds?: string
  /** Its name before: while a column of that name stands, and this one does not, a migration is to rename it, and none is added. */
  readonly was?: string
  /** Name of the field in documents, where it differs. A key column without it is `_id`. */
  readonly field?: string
}

export type IndexColumn = string | readonly [column: string, direction: 'asc' | 'desc']

/** What rows meet that an index holds, as JSON has it: a `date` as ISO 8601 text, a `bigint` as its digits. */
export type IndexCondition =
  | { readonly field: string; readonly operator: 'null'; readonly value: boolean }
  | {
      readonly field: string
      readonly operator: 'eq' | 'gt' | 'gte' | 'lt' | 'lte'
      /** Of the column. */
      readonly type: ColumnType
      readonly value: string | number | boolean
    }

/**
 * `gin`: of the items of a list, or of JSON. `trigram`: of the parts of a text. Of one column; engines without it do without.
 * `words`: of one to four columns of that type, which are searched together.
 */
export type IndexMethod = 'gin' | 'trigram' | 'words'

export interface IndexPlan {
  /** In order; null sorts lowest. */
  readonly columns: readonly IndexColumn[]
  /** Rows with null in one of the columns never collide; nor do rows that the index does not hold. Default `false`. */
  readonly unique?: boolean
  /** A column: rows with null in it are left out of the index. Short for one condition of `where`. */
  readonly held?: string
  /** The rows of the index: those that meet every condition. Default: all. */
  readonly where?: readonly IndexCondition[]
  /** Default: by order. */
  readonly method?: IndexMethod
  /** Its name among documents; default: made of its columns. */
  readonly name?: string
  /** The one family of engines whose planner needs it. Default: both. */
  readonly on?: 'sql' | 'documents'
}

/**
 * Finds rows by the items of a list. Documents index into the list; SQL keeps the items in a table of their own, which
 * the driver writes in the same transaction.
 */
export interface ItemIndexPlan {
  /** A column with `list: true`. */
  readonly column: string
  /** Fields of an item, where items are objects; absent: the items themselves. */
  readonly fields?: readonly string[]
  /** An item belongs to one row. Default `false`. */
  readonly unique?: boolean
  /** Of SQL: the table, its column for each of `fields` or for the item, in the order of its primary key, and the one with the row's key. */
  readonly table: string
  readonly columns: readonly string[]
  readonly owner: string
  /** Its name among documents. */
  readonly name?: string
}

/** What the deletion of a row does with the rows that refer to it. */
export type ReferenceRule = 'restrict' | 'cascade' | 'setNull'

/** A column that holds the key of a row of another table of the database, or null. */
export interface ReferencePlan {
  readonly column: string
  /** What errors call it. Default: the column. */
  readonly relation?: string
  /** The `name` of the other table's plan, and the one column of its key. */
  readonly table: string
  readonly key: string
  /**
   * A column of both tables, such as the customer of a row: a row names only rows with the same value there. The other
   * table has a unique index on it and the key.
   */
  readonly within?: string
  readonly onDelete: ReferenceRule
  /** Checked at the commit instead of after each statement. Default `false`. */
  readonly deferrable?: boolean
}

export interface TablePlan {
  /** Of the table in SQL. */
  readonly name: string
  /** Of the collection, where it differs. */
  readonly collection?: string
  /** What a row is called in errors. Default: `name`. */
  readonly record?: string
  /** Its names before, as of a column. */
  readonly was?: { readonly name: string; readonly collection: string }
  /** Default `['id']`. */
  readonly key?: readonly string[]
  readonly columns: readonly ColumnPlan[]
  readonly indexes?: readonly IndexPlan[]
  readonly itemIndexes?: readonly ItemIndexPlan[]
  /** Kept by a database with `Database.references`; others leave them to whoever writes the rows. */
  readonly references?: readonly ReferencePlan[]
  /** It is there, and is somebody else's: no engine makes, changes or drops it, or an index of it. Default `false`. */
  readonly existing?: boolean
  /** Where the plan is declared, `file:line`, for messages. */
  readonly place?: string | null
}

/** @returns the columns of the key */
export function keyOf(plan: TablePlan): readonly string[] {
  return plan.key ?? ['id']
}

/** @returns what a row of the table is called in errors */
export function recordOf(plan: TablePlan): string {
  return plan.record ?? plan.name
}

/** @returns what a reference is called in errors */
export function relationOf({ relation, column }: ReferencePlan): string {
  return relation ?? column
}

export function columnName(column: IndexColumn): string {
  return typeof column === 'string' ? column : column[0]
}
