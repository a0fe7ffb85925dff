/**
 * Changes to tables of SQLite. What `alter table` does not know is done as SQLite's own documentation says: a table
 * beside it, its rows copied, the old one dropped, the new one renamed. Foreign keys rest meanwhile, and are looked at
 * before the end.
 */
import { type Kysely, sql } from 'kysely'
import type { ColumnChange, SchemaAlteration } from '../schema-alteration.ts'
import { readTableText } from './table-text.ts'

const REBUILT = 'svc_rebuilt'

export const sqliteAlteration: SchemaAlteration = Object.freeze<SchemaAlteration>({
  async hasTable(db, table) {
    const found = await sql`select 1 from sqlite_master where type = 'table' and name = ${table}`.execute(db)
    return found.rows.length > 0
  },

  // Inside a transaction the pragma does nothing: a table that is dropped would take what points to it along.
  begin: (db) => sql`pragma foreign_keys = off`.execute(db).then(() => undefined),
  end: (db) => sql`pragma foreign_keys = on`.execute(db).then(() => undefined),

  async check(db) {
    const { rows } = await sql<{ table: string }>`pragma foreign_key_check`.execute(db)
    if (rows[0] !== undefined) throw new Error(`rows of ${rows[0].table} refer to rows that do not exist`)
  },

  alterColumn: rebuild,

  async updateRows(db, table, columns, rows) {
    for (const [id, ...values] of rows) {
      const changes = columns.map(({ name }, place) => sql`${sql.ref(name)} = ${values[place]}`)
      await sql`update ${sql.table(table)} set ${sql.join(changes)} where id = ${id}`.execute(db)
    }
  }
})

async function rebuild(db: Kysely<unknown>, { table, to, source, clause }: ColumnChange): Promise<void> {
  const { rows: parts } = await sql<{ type: string; sql: string }>`
    select type, sql from sqlite_master where tbl_name = ${table} and sql is not null`.execute(db)
  const { rows: columns } = await sql<{ name: string }>`
    select name from pragma_table_xinfo(${table}) where hidden = 0`.execute(db)
  const { clauses, end } = readTableText(parts.find(({ type }) => type === 'table')?.sql ?? '')
  const texts = clauses
    .filter(({ column }) => column === null || column !== source)
    .map(({ column, text }) => (column === to.name ? clause : text))
  const kept = columns.map(({ name }) => name).filter((name) => name !== source)
  const read = kept.map((name) => sql.ref(name === to.name && source !== null ? source : name))
  await sql`create table ${sql.table(REBUILT)} (${sql.raw(texts.join(', '))}) ${sql.raw(end)}`.execute(db)
  await sql`insert into ${sql.table(REBUILT)} (${sql.join(kept.map((name) => sql.ref(name)))})
    select ${sql.join(read)} from ${sql.table(table)}`.execute(db)
  await sql`drop table ${sql.table(table)}`.execute(db)
  // Views and triggers that name the table are left as they are written.
  await sql`pragma legacy_alter_table = on`.execute(db)
  await sql`alter table ${sql.table(REBUILT)} rename to ${sql.ref(table)}`.execute(db)
  await sql`pragma legacy_alter_table = off`.execute(db)
  for (const { type, sql: text } of parts) if (type !== 'table') await sql.raw(text).execute(db)
}
