/**
 * What the statements of stores ask for. What a caller hands in becomes a
 * parameter; what is no text, or a text that no store keeps, matches nothing,
 * instead of null, an error of the database, or the text of somebody else. Pure.
 */
import { type RawBuilder, sql } from 'kysely'
import { checkText } from 'svc-stores'
import type { SqlEngine } from '../engines/sql-engine.ts'
import { fold, foldName } from './store-columns.ts'

export type Where = RawBuilder<boolean>

/** No condition. */
export const EVERYTHING: Where = sql<boolean>`1 = 1`

const NOTHING: Where = sql<boolean>`1 = 0`

/** SQLite reads patterns up to 50,000 bytes. */
const LONGEST_TERM = 10_000

const PATTERN_SYNTAX = /[\\%_]/g

/** The column holds this very text. */
export function exactly(column: string, given: unknown): Where {
  return isStorable(given) ? sql<boolean>`${sql.ref(column)} = ${given}` : NOTHING
}

/** The column, which is never null, holds another text. */
export function otherThan(column: string, given: unknown): Where {
  return isStorable(given) ? sql<boolean>`${sql.ref(column)} <> ${given}` : EVERYTHING
}

/** The column holds one of these texts. */
export function among(column: string, given: readonly unknown[]): Where {
  const texts = given.filter(isStorable)
  return texts.length === 0 ? NOTHING : sql<boolean>`${sql.ref(column)} in (${sql.join(texts)})`
}

/** Null compares with nothing. */
export function compared(column: string, operator: '=' | '<' | '<=' | '>' | '>=', value: number | boolean): Where {
  return sql<boolean>`${sql.ref(column)} ${sql.raw(operator)} ${value}`
}

export function isNull(column: string): Where {
  return sql<boolean>`${sql.ref(column)} is null`
}

export function isHeld(column: string): Where {
  return sql<boolean>`${sql.ref(column)} is not null`
}

/** The list in the column holds this text. */
export function holds(engine: SqlEngine, column: string, given: unknown): Where {
  if (!isStorable(given)) return NOTHING
  return engine.holdsOneOf(sql.ref(column), 'text', sql.val(engine.encodeItems('text', [given])))
}

/** Free text: any part of the column, in any case, every character for itself. */
export function containing(engine: SqlEngine, column: string, term: string): Where {
  return searched(engine, column, term, (literal) => `%${literal}%`)
}

/** Free text: the beginning of the column, in any case, every character for itself. */
export function startingWith(engine: SqlEngine, column: string, term: string): Where {
  return searched(engine, column, term, (literal) => `${literal}%`)
}

/** `undefined` is no condition. */
export function all(...conditions: readonly (Where | undefined)[]): Where {
  const given = conditions.filter((condition) => condition !== undefined && condition !== EVERYTHING)
  return given.length === 0 ? EVERYTHING : sql<boolean>`${sql.join(given, sql` and `)}`
}

export function any(...conditions: readonly Where[]): Where {
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`
}

/** A column's value, or this one where it is greater: neither writer undoes the other. */
export function atLeast(column: string, value: number): RawBuilder<number> {
  const standing = sql.ref(column)
  return sql<number>`case when ${standing} < ${value} then ${value} else ${standing} end`
}

function searched(engine: SqlEngine, column: string, term: string, form: (literal: string) => string): Where {
  const folded = fold(term)
  if (folded === null || folded.length > LONGEST_TERM || !isStorable(folded)) return NOTHING
  const pattern = form(folded.replace(PATTERN_SYNTAX, '\\$&'))
  return engine.like(sql.ref(foldName(column)), sql.val(engine.encodePattern(pattern)))
}

/** Whether a column of text could hold it. */
export function isStorable(given: unknown): given is string {
  if (typeof given !== 'string') return false
  try {
    checkText('', given, false)
    return true
  } catch {
    return false
  }
}
