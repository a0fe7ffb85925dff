/**
 * Indexes that hold some rows only: the rows in conditions, whether a query asks for no others, and which columns name one
 * row. Pure.
 */
import type { Condition, ConditionValue, NullCondition, ValueCondition } from './condition.ts'
import { rowMatcher } from './row-matcher.ts'
import {
  type ColumnType,
  columnName,
  type IndexCondition,
  type IndexPlan,
  keyOf,
  type TablePlan
} from './table-plan.ts'

type Rows = Pick<IndexPlan, 'held' | 'where'>

/** What a row of the index meets; of an index of all rows, nothing. */
export function indexConditions({ held, where = [] }: Rows): readonly IndexCondition[] {
  return held === undefined ? where : [{ field: held, operator: 'null', value: false }, ...where]
}

/** The same as conditions of a query. */
export function rowsOfIndex(index: Rows): readonly (NullCondition | ValueCondition)[] {
  return indexConditions(index).map((each) => {
    return each.operator === 'null' ? each : { ...each, value: conditionValue(each.type, each.value) }
  })
}

/** The columns that an index names: in order, then those of its conditions. */
export function indexColumns(index: Pick<IndexPlan, 'columns' | 'held' | 'where'>): readonly string[] {
  return [...index.columns.map(columnName), ...indexConditions(index).map(({ field }) => field)]
}

/** The index with other names of columns. */
export function renamedIndex<Index extends IndexPlan>(index: Index, rename: (column: string) => string): Index {
  const { columns, held, where } = index
  return {
    ...index,
    columns: columns.map((column) => (typeof column === 'string' ? rename(column) : [rename(column[0]), column[1]])),
    ...(held !== undefined && { held: rename(held) }),
    ...(where !== undefined && { where: where.map((each) => ({ ...each, field: rename(each.field) })) })
  }
}

/** A value of a condition as an index has it. */
export function indexValue(value: ConditionValue): string | number | boolean {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'bigint' ? String(value) : value
}

function conditionValue(type: ColumnType, value: string | number | boolean): ConditionValue {
  if (type === 'date') return new Date(value as string)
  return type === 'bigint' ? BigInt(value as string) : value
}

/** Columns of which no two rows hold the same values, as far as the rows meet `of`. */
export interface UniqueColumns {
  /** `null`: the key. */
  readonly index: IndexPlan | null
  readonly columns: readonly string[]
  /** None: of all rows. That its own columns hold something is not among them, as a value is asked for. */
  readonly of: readonly IndexCondition[]
}

/** The key, then the unique indexes. @param on the engines whose indexes count */
export function uniqueColumns(plan: TablePlan, on: 'sql' | 'documents' | 'all' = 'all'): readonly UniqueColumns[] {
  const own = (plan.indexes ?? []).filter((index) => {
    return index.unique === true && (on === 'all' || index.on === undefined || index.on === on)
  })
  const ofIndexes = own.map((index) => {
    const columns = index.columns.map(columnName)
    const isSaid = ({ field, operator, value }: IndexCondition) =>
      operator === 'null' && !value && columns.includes(field)
    return { index, columns, of: indexConditions(index).filter((each) => !isSaid(each)) }
  })
  return [{ index: null, columns: keyOf(plan), of: [] }, ...ofIndexes]
}

/** Whether a query says each of these itself, so that it asks for rows of the index only. */
export function saysAll(conditions: readonly Condition[], of: readonly IndexCondition[]): boolean {
  return of.every((each) => conditions.some((condition) => isSame(condition, each)))
}

function isSame(condition: Condition, { field, operator, value }: IndexCondition): boolean {
  if (condition.operator !== operator || condition.field !== field) return false
  return (typeof condition.value === 'boolean' ? condition.value : indexValue(condition.value)) === value
}

/** The unique index over these columns, in any order; of several the one that holds the row. */
export function uniqueIndexOf(plan: TablePlan, columns: readonly string[], row: object): IndexPlan | undefined {
  const { indexes } = plan
  if (indexes === undefined) return undefined
  const found = indexes.filter((index) => index.unique === true && isOver(index, columns))
  if (found.length === 0) return undefined
  const ofAll = found.find((index) => indexConditions(index).length === 0)
  return ofAll ?? found.find((index) => holdsRow(index, row)) ?? found[0]
}

function isOver({ columns: own }: IndexPlan, columns: readonly string[]): boolean {
  return own.length === columns.length && own.every((column) => columns.includes(columnName(column)))
}

/** Whether the row is one of the index. */
export function holdsRow(index: Rows, row: object): boolean {
  return rowMatcher(rowsOfIndex(index))(row)
}
