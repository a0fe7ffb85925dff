/**
 * Conditions as SQL. Three views of the same condition, which belong together:
 * its shape (conditions of one shape share a statement), its text, and the
 * parameters in the order in which the text takes them.
 */

import { type RawBuilder, sql } from 'kysely'
import type { Condition, ListCondition } from 'svc-orm'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { EntityColumn } from './entity-columns.ts'

const COMPARISONS = { eq: sql`=`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` }

export type ColumnOf = (field: string) => EntityColumn

/** Two conditions of one shape differ in their values alone. */
export function conditionShape(condition: Condition, engine: SqlEngine, columnOf: ColumnOf): string {
  const { field, operator } = condition
  if (operator === 'null') return `${field} ${condition.value ? 'null' : 'held'}`
  if (!('values' in condition)) return `${field} ${operator}`
  const count = isMembership(condition) ? 1 : engine.encodeList(columnOf(field).item, condition.values).length
  return `${field} ${operator} ${count} ${condition.orNull}`
}

export function conditionSql(condition: Condition, engine: SqlEngine, columnOf: ColumnOf): RawBuilder<unknown> {
  const column = sql.ref(condition.field)
  switch (condition.operator) {
    case 'null':
      return condition.value ? sql`${column} is null` : sql`${column} is not null`
    case 'ne':
      return engine.distinct(column, sql.val(condition.value))
    case 'like':
      return engine.like(column, sql.val(condition.pattern))
    case 'in':
    case 'nin':
    case 'has':
    case 'hasnt':
      return listSql(condition, engine, columnOf(condition.field))
    default:
      return sql`${column} ${COMPARISONS[condition.operator]} ${sql.val(condition.value)}`
  }
}

export function conditionParameters(condition: Condition, engine: SqlEngine, columnOf: ColumnOf): readonly unknown[] {
  if (condition.operator === 'null') return []
  if (condition.operator === 'like') return [engine.encodePattern(condition.pattern)]
  const { item, encode } = columnOf(condition.field)
  if (!('values' in condition)) return [encode(condition.value)]
  const { values } = condition
  return isMembership(condition) ? [engine.encodeItems(item, values)] : engine.encodeList(item, values)
}

/** Null stands for no value, in the list as in the column: it is asked for by name. */
function listSql(condition: ListCondition, engine: SqlEngine, { item }: EntityColumn): RawBuilder<unknown> {
  const { field, operator, values, orNull } = condition
  const column = sql.ref(field)
  const matches = isMembership(condition)
    ? engine.holdsOneOf(column, item, sql.val(null))
    : engine.oneOf(
        column,
        item,
        engine.encodeList(item, values).map(() => sql.val(null))
      )
  if (operator === 'in' || operator === 'has') return orNull ? sql`(${column} is null or ${matches})` : matches
  return orNull ? sql`(${column} is not null and not ${matches})` : sql`(${column} is null or not ${matches})`
}

function isMembership({ operator }: ListCondition): boolean {
  return operator === 'has' || operator === 'hasnt'
}
