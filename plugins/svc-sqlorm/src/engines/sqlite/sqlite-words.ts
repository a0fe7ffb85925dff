/**
 * Words on SQLite: a table of FTS5 beside each table that is searched, which triggers keep in step with it, by row. It stores no
 * content, and takes the words as they are: between blanks, every letter beyond ASCII for itself.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { WordIndex, WordSearch } from '../word-search.ts'

/** No column has this name, and every table that is not `without rowid` the number behind it. */
export const ROW = '_rowid_'

const FOUND = 'found'

export const sqliteWords: WordSearch = {
  encode: (words) => words.map(({ word, prefix = false }) => `"${word}"${prefix ? '*' : ''}`).join(' '),
  matches: ({ name }, table) => {
    const row = sql.ref(table === undefined ? ROW : `${table}.${ROW}`)
    return sql<boolean>`${row} in (select rowid from ${sql.table(name)} where ${sql.ref(name)} match ${sql.val(null)})`
  },
  // By a join: of each row by itself, the engine would count all rows that have the words.
  ranked: ({ name, table }, weights) => {
    const rank = sql`-bm25(${sql.table(name)}, ${sql.join(weights.map((weight) => sql.lit(weight)))})`
    const found = sql`select rowid as ${sql.ref('row')}, ${rank} as ${sql.ref('rank')} from ${sql.table(name)} where ${sql.ref(name)} match ${sql.val(null)}`
    // The words come first: `cross join` keeps the planner from turning that round.
    return {
      join: {
        before: sql`(${found}) as ${sql.ref(FOUND)} cross join `,
        on: sql`${sql.ref(`${table}.${ROW}`)} = ${sql.ref(`${FOUND}.row`)}`
      },
      rank: sql<number>`${sql.ref(`${FOUND}.rank`)}`
    }
  },
  async addIndex(db, index) {
    const { name, table, columns } = index
    await dropWords(db, name)
    const names = sql.join(columns.map((column) => sql.ref(column)))
    const options = sql.raw(`content='', contentless_delete=1, tokenize='ascii'`)
    await sql`create virtual table ${sql.table(name)} using fts5(${names}, ${options})`.execute(db)
    await sql`insert into ${sql.table(name)} (rowid, ${names}) select ${sql.ref(ROW)}, ${names} from ${sql.table(table)}`.execute(
      db
    )
    for (const trigger of triggers(index)) await trigger.execute(db)
  }
}

/** Also where the table of an index with this name is gone already. @returns whether it was there */
export async function dropWords(db: Kysely<unknown>, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_master where type = 'table' and name = ${name}`.execute(db)
  if (rows.length === 0) return false
  for (const trigger of TRIGGERS) await sql`drop trigger if exists ${sql.ref(`${name} ${trigger}`)}`.execute(db)
  await sql`drop table ${sql.table(name)}`.execute(db)
  return true
}

/** The names of those of a table. */
export async function wordIndexes(db: Kysely<unknown>, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`${INDEXES} and t.tbl_name = ${table}`.execute(db)
  return rows.map(({ name }) => name)
}

/** Every one, with its table. */
export const INDEXES = sql`select m.name, t.tbl_name as "table" from sqlite_master m
  join sqlite_master t on t.type = 'trigger' and t.name = m.name || ' insert'
  where m.type = 'table' and m.sql like 'create virtual table%'`

const TRIGGERS = ['insert', 'delete', 'update'] as const

function triggers({ name, table, columns }: WordIndex): readonly RawBuilder<unknown>[] {
  const words = sql.table(name)
  const names = columns.map((column) => sql.ref(column))
  const held = sql.join(columns.map((column) => sql.ref(`new.${column}`)))
  const set = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`new.${column}`)}`))
  const works = {
    insert: sql`after insert on ${sql.table(table)} begin
      insert into ${words} (rowid, ${sql.join(names)}) values (new.${sql.ref(ROW)}, ${held}); end`,
    delete: sql`after delete on ${sql.table(table)} begin delete from ${words} where rowid = old.${sql.ref(ROW)}; end`,
    update: sql`after update of ${sql.join(names)} on ${sql.table(table)} begin
      update ${words} set ${set} where rowid = new.${sql.ref(ROW)}; end`
  }
  return TRIGGERS.map((each) => sql`create trigger ${sql.ref(`${name} ${each}`)} ${works[each]}`)
}
