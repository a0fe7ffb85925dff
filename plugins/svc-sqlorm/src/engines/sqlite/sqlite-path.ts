/**
 * What JSON has at a path, as SQL. SQLite reads texts itself, many times faster than a function of the connection, which
 * reads what SQLite reads as something else: fractions as their neighbours, escaped halves of characters, some keys.
 */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { PathKind } from '../sql-engine.ts'

/** A function of each connection. */
export const AT_PATH = 'svc_at_path'

/** Keys that a path of SQLite can name, and that are no positions of lists. */
const NAMED = /^(?!\d+$)[^"\\\p{Cc}\p{Cs}]+$/u

export function functionAtPath(column: Expression<unknown>, kind: PathKind | 'scalar'): RawBuilder<unknown> {
  return sql`${sql.ref(AT_PATH)}(${column}, ${sql.val(null)}, ${sql.lit(kind)})`
}

export function sqliteAtPath(column: Expression<unknown>, kind: PathKind): RawBuilder<unknown> {
  const byFunction = functionAtPath(column, kind)
  if (kind !== 'string') return byFunction
  const text = sql`case json_type(${column}, ${sql.val(null)}) when 'text' then ${column} ->> ${sql.val(null)} end`
  return sql`case when ${sql.val(null)} is null or instr(${column}, '\\u') then ${byFunction} else ${text} end`
}

export function encodeSqlitePath(path: readonly string[], kind: PathKind): readonly unknown[] {
  const given = JSON.stringify(path)
  if (kind !== 'string') return [given]
  const named = path.every((key) => NAMED.test(key)) ? `$${path.map((key) => `."${key}"`).join('')}` : null
  return [named, given, named, named]
}
