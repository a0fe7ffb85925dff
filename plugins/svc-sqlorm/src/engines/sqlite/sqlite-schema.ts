/** How columns and indexes stand in a SQLite file. */
import { type Kysely, sql } from 'kysely'
import { type ExistingIndex, type ExistingSchema, existingSchema } from '../../schema/existing-schema.ts'
import { fittingTypes } from './sqlite-types.ts'
import { INDEXES } from './sqlite-words.ts'

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
  /** Its text, where it is over some rows only. */
  readonly partial: string | null
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
    select m.name as "table", i.name, i."unique",
      case i.partial when 1 then (select sql from sqlite_master where type = 'index' and name = i.name) end as "partial",
      (select json_group_array(x.name) from (select name from pragma_index_info(i.name) order by seqno) x) as "columns"
    from sqlite_master m join pragma_index_list(m.name) i
    where m.type = 'table'`.execute(db)
  const { rows: words } = await sql<{ name: string; table: string }>`${INDEXES}`.execute(db)
  return existingSchema(
    columns.map(({ table, column: name, type, definition, notnull, filled }) => ({
      table,
      name,
      type: type.toLowerCase(),
      fits: fittingTypes(name, type, definition),
      required: notnull === null ? null : notnull === 1,
      filled: filled === 1
    })),
    [
      ...indexes.map(plainIndex),
      ...words.map((index): ExistingIndex => ({ ...index, columns: [], unique: false, where: null }))
    ],
    ['words']
  )
}

function plainIndex({ columns: names, unique, partial, ...index }: IndexRow): ExistingIndex {
  const held = JSON.parse(names) as (string | null)[]
  const plain = held.filter((name) => name !== null)
  const where = partial === null ? null : (/\bwhere\b\s*([\s\S]*)$/i.exec(partial)?.[1] ?? partial)
  return { ...index, unique: unique === 1, columns: plain.length === held.length ? plain : [], where }
}
