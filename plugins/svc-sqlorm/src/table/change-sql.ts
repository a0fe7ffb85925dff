/** Changes as SQL: their shape, the `set` clause, and its parameters in order. Decided on what the row holds then. */

import { type RawBuilder, sql } from 'kysely'
import type { Change } from 'svc-stores/table'
import { encoded } from '../engines/column-type.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import { folded, type TableColumn } from './table-columns.ts'

type Sql = RawBuilder<unknown>
type AnyChange = { readonly [Name in keyof Change<object>]: object }

const PARTS = ['set', 'max', 'min', 'add', 'mul', 'push', 'pull'] as const

type PartName = (typeof PARTS)[number]

export interface ChangedColumn {
  readonly part: PartName
  readonly column: TableColumn
  readonly value: unknown
}

/** The parts of a change, column by column. @throws TypeError for a column that the table does not have */
export function changedColumns(change: AnyChange, columnOf: (name: string) => TableColumn): readonly ChangedColumn[] {
  const changed: ChangedColumn[] = []
  for (const part of PARTS) {
    const values = change[part] as Readonly<Record<string, unknown>> | undefined
    if (values === undefined) continue
    for (const name of Object.keys(values)) {
      const value = values[name]
      if (value !== undefined) changed.push({ part, column: columnOf(name), value })
    }
  }
  return changed
}

export function changeShape(changed: readonly ChangedColumn[]): string {
  let shape = ''
  for (const { part, column, value } of changed) {
    shape += `${part} ${column.name}${part === 'pull' ? JSON.stringify(namesOf(value)) : ''},`
  }
  return shape
}

/**
 * @param key a column that is written as it is where nothing changes
 * @param table what is held carries its name, where another row is in scope
 */
export function changeSql(changed: readonly ChangedColumn[], engine: SqlEngine, key: string, table?: string): Sql {
  const held = (name: string) => sql.ref(table === undefined ? name : `${table}.${name}`)
  if (changed.length === 0) return sql`${sql.ref(key)} = ${held(key)}`
  return sql.join(
    changed.flatMap(({ part, column, value }) => {
      const set = sql`${sql.ref(column.name)} = ${newValue(part, column, held(column.name), value, engine)}`
      return column.folded === null ? [set] : [set, sql`${sql.ref(column.folded)} = ${sql.val(null)}`]
    })
  )
}

export function changeParameters(changed: readonly ChangedColumn[], engine: SqlEngine): unknown[] {
  const parameters: unknown[] = []
  for (const { part, column, value } of changed) {
    if (part === 'push') parameters.push(encoded(engine.columnTypes.json, value))
    else if (part === 'pull') parameters.push(...engine.encodeItem(value))
    else if (part === 'mul') parameters.push(...engine.encodeFactor(column.type, value as string | number))
    else parameters.push(column.encode(value))
    // Once to compare with, once to take.
    if (part === 'max' || part === 'min') parameters.push(column.encode(value))
    if (column.folded !== null) parameters.push(folded(value))
  }
  return parameters
}

function newValue(part: PartName, { type }: TableColumn, column: Sql, value: unknown, engine: SqlEngine): Sql {
  const given = sql.val(null)
  switch (part) {
    case 'set':
      return sql`${given}`
    case 'max':
      return sql`case when ${column} is null or ${column} < ${given} then ${given} else ${column} end`
    case 'min':
      return sql`case when ${column} is null or ${column} > ${given} then ${given} else ${column} end`
    case 'add':
      return sql`coalesce(${column}, 0) + ${given}`
    case 'mul':
      return engine.multiplied(column, type)
    case 'push':
      return engine.appended(column, given)
    case 'pull':
      return engine.without(column, namesOf(value))
  }
}

/** Of an item that is an object: what it is compared by; `null` for the item itself. */
function namesOf(item: unknown): readonly string[] | null {
  return typeof item === 'object' && item !== null && !(item instanceof Date) ? Object.keys(item) : null
}
