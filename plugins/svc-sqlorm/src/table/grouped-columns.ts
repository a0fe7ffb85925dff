/**
 * What a group has, as columns of a statement: what its rows share, and its measures. They are numbered, as names of
 * measures are the caller's; each says its SQL, how it is read, and what a condition on it compares with.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Grouping, Measure } from 'svc-stores/table'
import { encoded } from '../engines/column-type.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { ColumnType } from '../schema/table-definition.ts'
import type { ConditionSql } from './condition-sql.ts'
import type { TableColumn } from './table-columns.ts'

type Sql = RawBuilder<unknown>

export interface GroupedColumn {
  /** As it was asked for. */
  readonly name: string
  readonly sql: Sql
  readonly shape: string
  readonly parameters: readonly unknown[]
  /** Whether a driver reads it as text: integers of 64 bits. */
  readonly isWide: boolean
  /** Of what is held. */
  read(stored: unknown): unknown
  /** Under its number. */
  readonly column: TableColumn
}

export function numberOf(place: number): string {
  return `g${place}`
}

/** Columns in `by` first. */
export function groupedColumns(
  grouping: Grouping,
  conditions: ConditionSql,
  engine: SqlEngine
): readonly GroupedColumn[] {
  const { by, parts = {}, measures } = grouping
  const shared = by.map((name, place): GroupedColumn => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (part === undefined) return held(name, conditions.column(name), place)
    const { type, name: column } = conditions.column(part.column)
    const { text, parameters } = engine.timePart(sql.ref(column), type, part)
    const shape = `${part.unit} ${column} ${parameters.length}`
    return computed({ name, sql: text, shape, parameters, type: 'text', engine, place })
  })
  const measured = Object.entries(measures).map(([name, measure], index) => {
    return measuredColumn(name, measure, by.length + index, conditions, engine)
  })
  return [...shared, ...measured]
}

function measuredColumn(
  name: string,
  measure: Measure,
  place: number,
  conditions: ConditionSql,
  engine: SqlEngine
): GroupedColumn {
  const { of, where = [] } = measure
  const among = where.length === 0 ? sql`` : sql` filter (where ${conditions.allOf(where)})`
  const parameters = where.length === 0 ? [] : conditions.parameters(where)
  const asked = where.length === 0 ? '' : ` (${conditions.shape(where)})`
  if (of === 'count') {
    const text = sql`count(*)${among}`
    return computed({ name, sql: text, shape: `count${asked}`, parameters, type: 'integer', engine, place })
  }
  const column = conditions.column(measure.column)
  const ref = sql.ref(column.name)
  const shape = `${of} ${column.name}${asked}`
  if (of === 'countDistinct') {
    const text = sql`count(distinct ${ref})${among}`
    return computed({ name, sql: text, shape, parameters, type: 'integer', engine, place })
  }
  const isSum = of === 'sum' || of === 'avg'
  const isExact = column.type === 'bigint' && of !== 'avg'
  // As numbers of JavaScript: the sum of integers is another type on each engine, or overflows.
  const operand = isSum && !isExact ? sql`cast(${ref} as double precision)` : ref
  const text = sql`${sql.raw(of)}(${operand})${among}`
  if (isSum && !isExact) return computed({ name, sql: text, shape, parameters, type: 'float', engine, place })
  return { ...held(name, column, place), sql: text, shape, parameters }
}

function held(name: string, column: TableColumn, place: number): GroupedColumn {
  return {
    name,
    sql: sql.ref(column.name),
    shape: column.name,
    parameters: [],
    isWide: column.type === 'bigint',
    read: column.decode ?? ((stored) => stored),
    column: { ...column, name: numberOf(place), nullable: true, folded: null }
  }
}

interface Computed extends Pick<GroupedColumn, 'name' | 'sql' | 'shape' | 'parameters'> {
  readonly type: ColumnType
  readonly engine: SqlEngine
  readonly place: number
}

function computed({ type, engine, place, ...given }: Computed): GroupedColumn {
  const kept = engine.columnTypes[type]
  const own = { name: numberOf(place), type, item: type, nullable: true, folded: null, decode: null }
  return {
    ...given,
    isWide: false,
    read: type === 'text' ? (stored) => stored : Number,
    column: { ...own, encode: (value) => encoded(kept, value) }
  }
}
