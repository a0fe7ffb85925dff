/**
 * The columns of a plan in SQL: how a value is kept on an engine, and how a row is read. A searched column has a folded
 * copy beside it, as databases know the capitals of ASCII only, or those of a locale.
 */

import { type RawBuilder, sql } from 'kysely'
import {
  type ColumnType as ColumnKind,
  type ColumnPlan,
  fold,
  type IndexPlan,
  indexConditions,
  type TablePlan
} from 'svc-stores/table'
import { encoded } from '../engines/column-type.ts'
import type { SqlEngine, StoredRecord } from '../engines/sql-engine.ts'
import type { ColumnDefinition, ColumnType, TableDefinition, TableIndex } from '../schema/table-definition.ts'

export const COLUMN_TYPES: Readonly<Record<ColumnKind, ColumnType>> = {
  text: 'text',
  id: 'text',
  integer: 'integer',
  bigint: 'bigint',
  time: 'integer',
  float: 'float',
  boolean: 'boolean',
  date: 'date',
  json: 'json',
  bytes: 'bytes',
  document: 'json-text',
  words: 'words'
}

export interface TableColumn {
  readonly name: string
  /** Of the column: `json` for a list. */
  readonly type: ColumnType
  /** What a condition compares with: of a list, the type of its items. */
  readonly item: ColumnType
  readonly nullable: boolean
  /** The column that searches read; `null` where there is none. */
  readonly folded: string | null
  encode(value: unknown): unknown
  /** `null` where nothing has to be done. */
  readonly decode: ((stored: unknown) => unknown) | null
}

export function tableColumns({ columns }: TablePlan, engine: SqlEngine): readonly TableColumn[] {
  return columns.map(({ name, type: kind, list = false, nullable = false, searched = false }) => {
    const item = COLUMN_TYPES[kind]
    const type = list ? 'json' : item
    const kept = engine.columnTypes[type]
    const { decode = null } = kept
    return {
      name,
      type,
      item,
      nullable,
      folded: searched ? foldedName(name) : null,
      encode: (value) => encoded(kept, value),
      decode: list && item === 'date' ? (stored) => dates(decode === null ? stored : decode(stored)) : decode
    }
  })
}

/** What the schema of the database has to hold for the rows of a plan. */
export function tableDefinition(plan: TablePlan): TableDefinition {
  const { name, key, indexes = [], references = [], was, existing } = plan
  return {
    name,
    ...(was !== undefined && { was: was.name }),
    ...(existing !== undefined && { existing }),
    columns: plan.columns.flatMap(columnDefinitions),
    ...(key !== undefined && { primaryKey: key }),
    indexes: indexes.filter(({ on }) => on !== 'documents').map(tableIndex),
    ...(references.length > 0 && { references: references.map(({ relation: _, ...reference }) => reference) })
  }
}

export function tableIndex(index: IndexPlan): TableIndex {
  const { columns, unique, method } = index
  const where = indexConditions(index).map((each) =>
    each.operator === 'null' ? each : { ...each, type: COLUMN_TYPES[each.type] }
  )
  return {
    columns,
    ...(unique === true && { unique }),
    ...(method !== undefined && { method }),
    ...(where.length > 0 && { where })
  }
}

function columnDefinitions(column: ColumnPlan): ColumnDefinition[] {
  const { name, type, list = false, nullable = false, default: preset, searched = false, folds, was } = column
  const own = {
    name,
    type: list ? 'json' : COLUMN_TYPES[type],
    nullable,
    ...(preset !== undefined && { default: preset }),
    ...(folds !== undefined && { folds }),
    ...(was !== undefined && { was })
  }
  return searched ? [own, { name: foldedName(name), type: 'text', nullable: true }] : [own]
}

function foldedName(name: string): string {
  return `${name}Folded`
}

/** The column, and the copy that its searches read. */
export function namesOf({ name, folded: copy }: TableColumn): readonly string[] {
  return copy === null ? [name] : [name, copy]
}

/** Puts what a row has in these columns, and in their copies, behind other parameters. */
export function addValues(
  row: Readonly<Record<string, unknown>>,
  columns: readonly TableColumn[],
  values: unknown[]
): void {
  for (const { name, encode, folded: copy } of columns) {
    values.push(encode(row[name] ?? null))
    if (copy !== null) values.push(folded(row[name]))
  }
}

/** The folded copy of a value. */
export function folded(value: unknown): string | null {
  return typeof value === 'string' ? fold(value) : null
}

/** A row of these columns. One that its table does not have reads as null. @param names as they were selected */
export function readRow(
  stored: StoredRecord,
  columns: readonly TableColumn[],
  names?: readonly string[]
): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  let place = 0
  for (const { name, decode } of columns) {
    const value = stored[names === undefined ? name : (names[place] as string)] ?? null
    row[name] = decode === null || value === null ? value : decode(value)
    place += 1
  }
  return row
}

/**
 * The row itself where it is a plain object: it is its reader's own, and has the columns of the table and no other.
 *
 * @param decoded those of them that `decode` has something to do for
 */
export function decodedRow(stored: StoredRecord, decoded: readonly TableColumn[]): Record<string, unknown> {
  // Node makes some rows without a prototype.
  const row = (Object.getPrototypeOf(stored) === null ? { ...stored } : stored) as Record<string, unknown>
  for (const { name, decode } of decoded) {
    const value = row[name] ?? null
    if (decode !== null && value !== null) row[name] = decode(value)
  }
  return row
}

export function decodedColumns(columns: readonly TableColumn[]): readonly TableColumn[] {
  return columns.filter(({ decode }) => decode !== null)
}

/** Columns in a `select` or `returning`. What orders rows names the column of its table, not what is selected. */
export function selected(columns: readonly TableColumn[]): RawBuilder<unknown> {
  return sql.join(
    columns.map((column) => {
      const as = column.type === 'bigint' ? sql` as ${sql.ref(column.name)}` : sql``
      return sql`${readable(column)}${as}`
    })
  )
}

/** No driver reads 64 bits as they are. */
export function readable({ name, type }: TableColumn, table?: string): RawBuilder<unknown> {
  const column = sql.ref(table === undefined ? name : `${table}.${name}`)
  return type === 'bigint' ? asText(column) : column
}

export function asText(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cast(${column} as text)`
}

export function withoutColumns(columns: readonly TableColumn[], names: readonly string[]): readonly TableColumn[] {
  return columns.filter(({ name }) => !names.includes(name))
}

/** Columns by name, joined. */
export function refs(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)))
}

/** JSON has no dates: within a list they are kept as ISO 8601 text. */
function dates(list: unknown): unknown {
  return Array.isArray(list) ? list.map((item) => new Date(String(item))) : list
}
