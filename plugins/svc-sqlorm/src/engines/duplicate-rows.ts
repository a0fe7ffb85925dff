/**
 * Rows that contradict a unique index, counted before it is made: nothing is changed by then, and the engine's own words
 * would name values.
 */
import { type Kysely, sql } from 'kysely'
import { rowsOfIndex, type TableIndex } from '../schema/table-definition.ts'
import { rowsClause } from './schema-statements.ts'
import { identifier } from './schema-text.ts'
import type { SqlEngine } from './sql-engine.ts'

/** A key of another form is a store's own, and may be a secret. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @param hasId whether the table has a column `id` @returns how many share values with another row, in words; `null` where none does */
export async function duplicateRows(
  db: Kysely<unknown>,
  engine: SqlEngine,
  table: string,
  index: TableIndex,
  hasId = true
): Promise<string | null> {
  const { columns, unique = false } = index
  if (!unique) return null
  const where = rowsOfIndex(index)
  const keys = columns.map((column) => identifier(typeof column === 'string' ? column : column[0]))
  const held = keys.map((key) => `${key} is not null`)
  const rows = where.length === 0 ? held : [...held, rowsClause(where, engine)]
  const example = hasId ? `min(${identifier('id')})` : 'null'
  const shared = `select count(*) as n, ${example} as example from ${identifier(table)}
    where ${rows.join(' and ')} group by ${keys.join(', ')} having count(*) > 1`
  const { rows: found } = await sql<{ rows: string | number | null; values: string | number; example: string | null }>`
    select sum(n) as "rows", count(*) as "values", min(example) as "example" from (${sql.raw(shared)}) as shared`.execute(
    db
  )
  const [first] = found
  if (first === undefined || first.rows === null) return null
  const values = Number(first.values) === 1 ? '1 value' : `${first.values} values`
  const names = keys.map((key) => key.slice(1, -1)).join(', ')
  const id = UUID.test(first.example ?? '') ? `, for example the one with id ${first.example}` : ''
  return `${first.rows} rows of ${table} share ${values} of ${names}${id}`
}
