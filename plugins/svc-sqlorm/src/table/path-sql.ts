/** Conditions on what JSON has at a path, as SQL. See `ConditionSql` for the three views. */
import { type RawBuilder, sql } from 'kysely'
import type { PathCondition } from 'svc-stores/table'
import type { PathKind, SqlEngine } from '../engines/sql-engine.ts'

type Sql = RawBuilder<unknown>

const SIGNS = { eq: sql`=`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` }

export function pathShape(condition: PathCondition): string {
  return `at ${condition.comparison} ${kindOf(condition)}`
}

export function pathSql(condition: PathCondition, column: Sql, engine: SqlEngine): Sql {
  const value = engine.atPath(column, kindOf(condition))
  return 'value' in condition
    ? sql`${value} ${SIGNS[condition.comparison]} ${sql.val(null)}`
    : sql`${value} is not null`
}

export function pathParameters(condition: PathCondition, engine: SqlEngine): readonly unknown[] {
  const path = engine.encodeAtPath(condition.path, kindOf(condition))
  return 'value' in condition ? [...path, engine.encodePathValue(condition.value)] : path
}

function kindOf(condition: PathCondition): PathKind {
  return 'value' in condition ? (typeof condition.value as 'number' | 'string' | 'boolean') : condition.comparison
}
