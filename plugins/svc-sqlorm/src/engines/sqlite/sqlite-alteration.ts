/**
 * Changes to tables of SQLite. What `alter table` does not know is done as SQLite's own documentation says: a table
 * beside it, its rows copied, the old one dropped, the new one renamed. Foreign keys rest meanwhile, and are looked at
 * before the end.
 */
import { type Kysely, sql } from 'kysely'
import { unexpectedState } from 'svc-orm/driver'
import type { ReferenceRule } from 'svc-stores/table'
import type { ColumnChange, ExistingReference, SchemaAlteration } from '../schema-alteration.ts'
import { referenceClause, updateEachRow } from '../schema-statements.ts'
import { dropWords, ROW, wordIndexes } from './sqlite-words.ts'
import { isTied, readTableText, referenceEnd, type TableClause, type TiedColumns } from './table-text.ts'

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

  addReference: (db, table, reference) => {
    const clause = referenceClause(table, reference)
    if (reference.within !== undefined) return rebuild(db, table, ({ text }) => text, { added: [clause] })
    return rebuild(db, table, ({ column, text }) => (column === reference.column ? `${text} ${clause}` : text))
  },

  dropReference,

  alterColumn,

  async primaryKey(db, table) {
    const { rows } = await sql<{ name: string }>`
      select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(db)
    return rows.map(({ name }) => name)
  },

  updateRows: updateEachRow
})

const RULES: Readonly<Record<string, ReferenceRule>> = {
  'NO ACTION': 'restrict',
  RESTRICT: 'restrict',
  CASCADE: 'cascade',
  'SET NULL': 'setNull'
}

async function references(db: Kysely<unknown>): Promise<readonly ExistingReference[]> {
  const { rows } = await sql<Omit<ExistingReference, 'onDelete' | 'deferrable' | 'name' | 'within'> & TextRow>`
    select m.name as "table", f."from" as "column", f."table" as "target", coalesce(f."to", 'id') as "key",
      w."from" as "within", f.on_delete as "rule", m.sql as "text"
    from sqlite_master m join pragma_foreign_key_list(m.name) f
      left join pragma_foreign_key_list(m.name) w on w.id = f.id and w.seq = 0 and f.seq = 1
    where m.type = 'table' and (f.seq = 0 or w."from" = w."to") and not exists (
      select 1 from pragma_foreign_key_list(m.name) other where other.id = f.id and other.seq > f.seq)`.execute(db)
  return rows.map(({ rule, text, within, ...reference }) => {
    const { clauses } = readTableText(text)
    const clause =
      within === null
        ? clauses.find(({ column }) => column === reference.column)?.text
        : clauses.find((each) => isTied(each, { within, column: reference.column }))?.text
    const deferrable = /\bdeferrable\s+initially\s+deferred$/i.test(clause ?? '')
    return { ...reference, ...(within !== null && { within }), onDelete: RULES[rule] ?? null, deferrable, name: null }
  })
}

interface TextRow {
  readonly within: string | null
  readonly rule: string
  readonly text: string
}

async function dropReference(db: Kysely<unknown>, { table, column, within }: ExistingReference): Promise<void> {
  if (within !== undefined) return dropTied(db, table, { within, column })
  await rebuild(db, table, ({ column: name, text }) => {
    if (name !== column) return text
    const end = referenceEnd(text)
    if (end === '') throw madeByHand(table, column)
    return text.slice(0, -end.length)
  })
}

/** A foreign key of two columns, which is a clause of its own. */
async function dropTied(db: Kysely<unknown>, table: string, key: TiedColumns): Promise<void> {
  let found = false
  await rebuild(db, table, (clause) => {
    const isIt = isTied(clause, key)
    found ||= isIt
    return isIt ? null : clause.text
  })
  if (!found) throw madeByHand(table, key.column)
}

function madeByHand(table: string, column: string) {
  return unexpectedState(`the foreign key of ${table}.${column} was not made by svc: drop it by hand`)
}

async function alterColumn(db: Kysely<unknown>, { table, to, source, clause }: ColumnChange): Promise<void> {
  const changed = ({ column, text }: TableClause) => {
    if (column !== null && column === source) return null
    return column === to.name ? `${clause}${referenceEnd(text)}` : text
  }
  await rebuild(db, table, changed, source === null ? {} : { moved: { from: source, to: to.name } })
}

interface Rebuilt {
  /** The column whose values become those of another, and that goes. */
  readonly moved?: { readonly from: string; readonly to: string }
  /** Clauses that come after those that it has. */
  readonly added?: readonly string[]
}

/** @param changed what becomes of a clause; `null`: it goes */
async function rebuild(
  db: Kysely<unknown>,
  table: string,
  changed: (clause: TableClause) => string | null,
  { moved, added = [] }: Rebuilt = {}
): Promise<void> {
  const { rows: parts } = await sql<{ type: string; sql: string }>`
    select type, sql from sqlite_master where tbl_name = ${table} and sql is not null`.execute(db)
  const { rows: columns } = await sql<{ name: string }>`
    select name from pragma_table_xinfo(${table}) where hidden = 0`.execute(db)
  const { clauses, end } = readTableText(parts.find(({ type }) => type === 'table')?.sql ?? '')
  const texts = [...clauses.map(changed).filter((text) => text !== null), ...added]
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
