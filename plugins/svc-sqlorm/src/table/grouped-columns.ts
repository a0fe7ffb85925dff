/**
 * What a group has, as columns of a statement: what its rows share, and its measures. They are numbered, as names of
 * measures are the caller's; each says its SQL, how it is read, and what a condition on it compares with.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Grouping, type Measure, type Order, reachedNames } from 'svc-stores/table'
import { encoded } from '../engines/column-type.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { ColumnType } from '../schema/table-definition.ts'
import type { ConditionSql } from './condition-sql.ts'
import { reachedColumn, reachedShape } from './reached-sql.ts'
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

/** The rows that are grouped. */
export interface GroupedRows {
  readonly conditions: ConditionSql
  readonly engine: SqlEngine
  /** Their table by name, where other ones are joined. */
  readonly table?: string
}

/** The joins that a grouping reaches through, as keys of an order. */
export function joinedKeys({ reached }: Grouping): Order {
  return reached === undefined ? [] : reachedNames(reached)
}

/** Columns in `by` first. */
export function groupedColumns(grouping: Grouping, rows: GroupedRows): readonly GroupedColumn[] {
  const { by, parts = {}, reached = {}, measures } = grouping
  const { conditions, engine } = rows
  const shared = by.map((name, place): GroupedColumn => {
    const other = Object.hasOwn(reached, name) ? reached[name] : undefined
    if (other !== undefined) {
      const column = conditions.reached(other)
      return { ...held(name, column, place, reachedColumn(joinedKeys(grouping), other)), shape: reachedShape(other) }
    }
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (part === undefined) return held(name, conditions.column(name), place, refIn(rows, name))
    const { type, name: column } = conditions.column(part.column)
    const { text, parameters } = engine.timePart(refIn(rows, column), type, part)
    const shape = `${part.unit} ${column} ${parameters.length}`
    return computed({ name, sql: text, shape, parameters, type: 'text', engine, place })
  })
  const measured = Object.entries(measures).map(([name, measure], index) => {
    return measuredColumn(name, measure, by.length + index, rows)
  })
  return [...shared, ...measured]
}

function refIn({ table }: GroupedRows, column: string): Sql {
  return sql.ref(table === undefined ? column : `${table}.${column}`)
}

function measuredColumn(name: string, measure: Measure, place: number, rows: GroupedRows): GroupedColumn {
  const { of, where = [] } = measure
  const { conditions, engine, table } = rows
  const among = where.length === 0 ? sql`` : sql` filter (where ${conditions.allOf(where, table)})`
  const parameters = where.length === 0 ? [] : conditions.parameters(where)
  const asked = where.length === 0 ? '' : ` (${conditions.shape(where)})`
  if (of === 'count') {
    const text = sql`count(*)${among}`
    return computed({ name, sql: text, shape: `count${asked}`, parameters, type: 'integer', engine, place })
  }
  const column = conditions.column(measure.column)
  const ref = refIn(rows, column.name)
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
  return { ...held(name, column, place, text), shape, parameters }
}

function held(name: string, column: TableColumn, place: number, text: Sql): GroupedColumn {
  return {
    name,
    sql: text,
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
