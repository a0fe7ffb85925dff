/**
 * Changes to tables of SQLite. What `alter table` does not know is done as SQLite's own documentation says: a table
 * beside it, its rows copied, the old one dropped, the new one renamed. Foreign keys rest meanwhile, and are looked at
 * before the end.
 */
import { type Kysely, sql } from 'kysely'
import { unexpectedState } from 'svc-orm/driver'
import type { ReferenceRule } from 'svc-stores/table'
import type { ColumnChange, ExistingReference, SchemaAlteration } from '../schema-alteration.ts'
import { referenceClause } from '../schema-statements.ts'
import { dropWords, ROW, wordIndexes } from './sqlite-words.ts'
import { readTableText, referenceEnd, type TableClause } from './table-text.ts'

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

  settle: async () => undefined,

  async dropTables(db, tables) {
    for (const table of tables) {
      for (const name of await wordIndexes(db, table)) await dropWords(db, name)
      await sql`drop table if exists ${sql.table(table)}`.execute(db)
    }
  },

  async dropIndex(db, name) {
    if (!(await dropWords(db, name))) await sql`drop index if exists ${sql.ref(name)}`.execute(db)
  },

  references,

  addReference: (db, table, reference) =>
    rebuild(db, table, ({ column, text }) =>
      column === reference.column ? `${text} ${referenceClause(table, reference)}` : text
    ),

  dropReference,

  alterColumn,

  async updateRows(db, table, columns, rows) {
    for (const [id, ...values] of rows) {
      const changes = columns.map(({ name }, place) => sql`${sql.ref(name)} = ${values[place]}`)
      await sql`update ${sql.table(table)} set ${sql.join(changes)} where id = ${id}`.execute(db)
    }
  }
})

const RULES: Readonly<Record<string, ReferenceRule>> = {
  'NO ACTION': 'restrict',
  RESTRICT: 'restrict',
  CASCADE: 'cascade',
  'SET NULL': 'setNull'
}

async function references(db: Kysely<unknown>): Promise<readonly ExistingReference[]> {
  const { rows } = await sql<Omit<ExistingReference, 'onDelete' | 'deferrable' | 'name'> & TextRow>`
    select m.name as "table", f."from" as "column", f."table" as "target", coalesce(f."to", 'id') as "key",
      f.on_delete as "rule", m.sql as "text"
    from sqlite_master m join pragma_foreign_key_list(m.name) f
    where m.type = 'table' and not exists (
      select 1 from pragma_foreign_key_list(m.name) other where other.id = f.id and other.seq > 0)`.execute(db)
  return rows.map(({ rule, text, ...reference }) => {
    const clause = readTableText(text).clauses.find(({ column }) => column === reference.column)?.text ?? ''
    const deferrable = /\bdeferrable\s+initially\s+deferred$/i.test(clause)
    return { ...reference, onDelete: RULES[rule] ?? null, deferrable, name: null }
  })
}

interface TextRow {
  readonly rule: string
  readonly text: string
}

async function dropReference(db: Kysely<unknown>, { table, column }: ExistingReference): Promise<void> {
  await rebuild(db, table, ({ column: name, text }) => {
    if (name !== column) return text
    const end = referenceEnd(text)
    if (end === '') throw unexpectedState(`the foreign key of ${table}.${column} was not made by svc: drop it by hand`)
    return text.slice(0, -end.length)
  })
}

async function alterColumn(db: Kysely<unknown>, { table, to, source, clause }: ColumnChange): Promise<void> {
  const changed = ({ column, text }: TableClause) => {
    if (column !== null && column === source) return null
    return column === to.name ? `${clause}${referenceEnd(text)}` : text
  }
  await rebuild(db, table, changed, source === null ? undefined : { from: source, to: to.name })
}

/** @param changed what becomes of a clause; `null`: it goes @param moved the column whose values become those of another, and that goes */
async function rebuild(
  db: Kysely<unknown>,
  table: string,
  changed: (clause: TableClause) => string | null,
  moved?: { readonly from: string; readonly to: string }
): Promise<void> {
  const { rows: parts } = await sql<{ type: string; sql: string }>`
    select type, sql from sqlite_master where tbl_name = ${table} and sql is not null`.execute(db)
  const { rows: columns } = await sql<{ name: string }>`
    select name from pragma_table_xinfo(${table}) where hidden = 0`.execute(db)
  const { clauses, end } = readTableText(parts.find(({ type }) => type === 'table')?.sql ?? '')
  const texts = clauses.map(changed).filter((text) => text !== null)
  const kept = columns.map(({ name }) => name).filter((name) => name !== moved?.from)
  const read = kept.map((name) => sql.ref(name === moved?.to ? moved.from : name))
  // Rows keep their number, by which words find them.
  const row = /\bwithout\s+rowid\b/i.test(end) ? [] : [sql.ref(ROW)]
  await sql`create table ${sql.table(REBUILT)} (${sql.raw(texts.join(', '))}) ${sql.raw(end)}`.execute(db)
  await sql`insert into ${sql.table(REBUILT)} (${sql.join([...row, ...kept.map((name) => sql.ref(name))])})
    select ${sql.join([...row, ...read])} from ${sql.table(table)}`.execute(db)
  await sql`drop table ${sql.table(table)}`.execute(db)
  // Views and triggers that name the table are left as they are written.
  await sql`pragma legacy_alter_table = on`.execute(db)
  await sql`alter table ${sql.table(REBUILT)} rename to ${sql.ref(table)}`.execute(db)
  await sql`pragma legacy_alter_table = off`.execute(db)
  for (const { type, sql: text } of parts) if (type !== 'table') await sql.raw(text).execute(db)
}
