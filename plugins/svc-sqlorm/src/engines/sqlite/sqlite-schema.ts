/**
 * How columns stand in a SQLite file. SQLite has four types where columns have eight: booleans and moments are integers,
 * JSON is text. A check per column tells them apart, and keeps others from writing what is no such value. Tables of
 * version 0.1.0 have no such checks: what cannot be told of them is taken to fit.
 */
import { type Kysely, sql } from 'kysely'
import { type ExistingIndex, type ExistingSchema, existingSchema } from '../../schema/existing-schema.ts'
import type { ColumnDefinition, ColumnType } from '../../schema/table-definition.ts'
import { columnBetween, identifier, numberCheck } from '../schema-text.ts'

/** The years 1 to 9999, in milliseconds. */
const EARLIEST = -62_135_596_800_000
const LATEST = 253_402_300_799_999

/** A table whose key has this name has all checks: text without one is no JSON. */
const CHECKED = 'checked'

export const checkedKey = `constraint ${CHECKED} `

export function sqliteCheck(column: ColumnDefinition): string {
  const name = identifier(column.name)
  if (column.type === 'boolean') return ` check (${name} in (0, 1))`
  if (column.type === 'date') return columnBetween(column.name, EARLIEST, LATEST)
  if (column.type === 'json') return ` check (json_valid(${name}))`
  return numberCheck(column)
}

interface ColumnRow {
  readonly table: string
  readonly definition: string
  readonly column: string
  readonly type: string
  /** `null` of a view. */
  readonly notnull: number | null
  readonly filled: number
}

interface IndexRow {
  readonly table: string
  readonly name: string
  readonly unique: number
  readonly partial: number
  /** A list as JSON, with null for an expression. */
  readonly columns: string
}

export async function sqliteSchema(db: Kysely<unknown>): Promise<ExistingSchema> {
  const { rows: columns } = await sql<ColumnRow>`
    select m.name as "table", m.sql as "definition", c.name as "column", c.type,
      case m.type when 'table' then c."notnull" end as "notnull",
      c.dflt_value is not null or c.hidden > 1 or (c.pk = 1 and c.type = 'INTEGER') as "filled"
    from sqlite_master m join pragma_table_xinfo(m.name) c
    where m.type in ('table', 'view')`.execute(db)
  const { rows: indexes } = await sql<IndexRow>`
    select m.name as "table", i.name, i."unique", i.partial,
      (select json_group_array(x.name) from (select name from pragma_index_info(i.name) order by seqno) x) as "columns"
    from sqlite_master m join pragma_index_list(m.name) i
    where m.type = 'table'`.execute(db)
  return existingSchema(
    columns.map(({ table, column: name, type, definition, notnull, filled }) => ({
      table,
      name,
      type: type.toLowerCase(),
      fits: fittingTypes(name, type, definition),
      required: notnull === null ? null : notnull === 1,
      filled: filled === 1
    })),
    indexes.map(({ columns: names, unique, partial, ...index }): ExistingIndex => {
      const held = JSON.parse(names) as (string | null)[]
      const plain = held.filter((name) => name !== null)
      return { ...index, unique: unique === 1, columns: partial === 0 && plain.length === held.length ? plain : [] }
    })
  )
}

const ANY: readonly ColumnType[] = [
  'text',
  'integer',
  'bigint',
  'float',
  'boolean',
  'date',
  'bytes',
  'json',
  'json-text'
]

/** By the rules of SQLite's own affinity; then by the check of the column. */
function fittingTypes(name: string, type: string, definition: string): readonly ColumnType[] {
  const has = (check: string) => definition.includes(check.replace('?', `"${name}"`))
  if (/INT/i.test(type)) {
    if (has(`check (? between ${-Number.MAX_SAFE_INTEGER} and`)) return ['integer']
    if (has(`check (? between ${EARLIEST} and`)) return ['date']
    return has('check (? in (0, 1))') ? ['boolean'] : ['integer', 'bigint', 'boolean', 'date']
  }
  if (/CHAR|CLOB|TEXT/i.test(type)) {
    if (has('check (json_valid(?))')) return ['json', 'json-text']
    return definition.includes(`constraint ${CHECKED} `) ? ['text', 'json-text'] : ['text', 'json', 'json-text']
  }
  if (/REAL|FLOA|DOUB/i.test(type)) return ['float']
  // What a view computes has no type.
  if (type === '' && /^create\s+(?:temp\w*\s+)?view\b/i.test(definition)) return ANY
  return /BLOB/i.test(type) ? ['bytes'] : ['integer', 'float', 'boolean', 'date']
}
