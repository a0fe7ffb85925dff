/**
 * SQLite through `node:sqlite`: how it stores types, and how it states criteria. A
 * number with a fraction never passes through SQLite's JSON, which may read it as
 * its neighbour: as a value it is bound by itself, within a list it compares as text.
 */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { encoded } from '../column-type.ts'
import type { RelatedRows, SqlEngine } from '../sql-engine.ts'
import { BOOLEANS } from './at-path.ts'
import { globPattern } from './glob-pattern.ts'
import { sqliteAlteration } from './sqlite-alteration.ts'
import { sqliteFailure } from './sqlite-failure.ts'
import { encodeSqlitePath, functionAtPath, sqliteAtPath } from './sqlite-path.ts'
import { encodeFactor, multiplied } from './sqlite-product.ts'
import { sqliteSchema } from './sqlite-schema.ts'
import { timePart } from './sqlite-time.ts'
import { checkedKey, SQLITE_TYPES } from './sqlite-types.ts'
import { ROW, sqliteWords } from './sqlite-words.ts'

/** A function of each connection: SQLite itself knows the capitals of ASCII only. */
export const FOLD = 'svc_fold'

export const sqliteEngine: SqlEngine = Object.freeze<SqlEngine>({
  name: 'sqlite',
  vendor: 'sqlite',
  driver: 'node:sqlite',
  hasIsolation: false,
  countsInFind: true,
  failure: sqliteFailure,
  pool: () => null,
  // The driver keeps every statement prepared.
  prepare: () => undefined,

  async version(db) {
    const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(db)
    return rows[0]?.version ?? ''
  },

  async now(db) {
    const { rows } = await sql<{ ms: number }>`select unixepoch('subsec') * 1000 as ms`.execute(db)
    return Number(rows[0]?.ms)
  },

  // Two steps: within one transaction the pages might never reach the disk.
  async probeWrite(db) {
    await db.transaction().execute(async (tx) => {
      await sql`create table if not exists svc_write_probe (filler blob)`.execute(tx)
      await sql`insert into svc_write_probe values (zeroblob(16384))`.execute(tx)
    })
    await sql`drop table svc_write_probe`.execute(db)
  },

  rowNumber: {
    name: ROW,
    async lacking(db) {
      const { rows } = await sql<{ name: string }>`select name from pragma_table_list where wr = 1`.execute(db)
      return new Set(rows.map(({ name }) => name))
    }
  },

  columnTypes: SQLITE_TYPES,
  // Strict: a column refuses every value of another type.
  tableEnd: 'strict',

  keyName: checkedKey,
  inlineReferences: true,
  existingSchema: sqliteSchema,
  alteration: sqliteAlteration,

  // A transaction that writes excludes every other writer already.
  lockSchema: async () => undefined,
  nullsLowest: { asc: 'asc', desc: 'desc' },

  distinct: (column, value) => sql<boolean>`${column} is not ${value}`,

  // What the others hold is looked up once, or read from an index when needed.
  related: (rows) => among(rows),
  unrelated: (rows) => sql<boolean>`(${among(rows)}) is not true`,
  answeredBy: (column, query) => sql<boolean>`${column} in (${query})`,

  oneOf: (column, type, values) =>
    type === 'float'
      ? sql<boolean>`${column} in (${sql.join(values)})`
      : sql<boolean>`${column} in (select value from json_each(${sql.join(values)}))`,
  encodeList: (type, values) =>
    type === 'float' ? values : [listText(values.map((value) => encoded(SQLITE_TYPES[type], value)))],

  givenRows: (_table, name, columns, count) => sql`(${rowValues(columns.length, count)}) as ${sql.ref(name)}`,
  newRows: (_table, columns, count) => rowValues(columns.length, count),
  encodeRows: (values) => values,
  rowsAtOnce: 100,

  firstOfEach({ columns, table, name, key, values, rows, order }) {
    const keys = (of: string) => sql.join(key.map((column) => sql.ref(`${of}.${column}`)))
    const own = sql`select ${keys('own')} from ${table} as own${rows('own', sql.ref('owner.value'))}`
    const found = sql`${key.length === 1 ? keys(name) : sql`(${keys(name)})`} in (${own})`
    return sql`select ${columns} from json_each(${values}) as owner cross join ${table} where ${found}${order}`
  },
  atPath: sqliteAtPath,
  encodeAtPath: encodeSqlitePath,
  encodePathValue: (value) => (typeof value === 'boolean' ? BOOLEANS[`${value}`] : value),
  pathOrder: (column) => [functionAtPath(column, 'scalar')],
  encodePathOrder: (path) => [JSON.stringify(path)],

  holdsOneOf: (column, type, items) => {
    const held = type === 'float' ? sql`${column} -> held.fullkey` : sql`held.value`
    const among = sql`select value from json_each(${items})`
    return sql<boolean>`exists (select 1 from json_each(${column}) as held where ${held} in (${among}))`
  },
  encodeItems: (type, values) =>
    JSON.stringify(type === 'float' ? values.map((value) => JSON.stringify(value)) : values),

  holdsItem: (column, names) =>
    sql<boolean>`exists (select 1 from json_each(${column}) as held where ${isItem(column, names)})`,
  without: (column, names) => {
    const item = sql`json(${column} -> held.fullkey)`
    const list = sql`(select json_group_array(${item} order by held.key) from json_each(${column}) as held
      where not ifnull(${isItem(column, names)}, 0))`
    return sql`case when ${column} is not null then ${list} end`
  },
  encodeItem: (item) => (isObject(item) ? Object.values(item) : [item]).map((value) => JSON.stringify(value)),
  appended: (column, item) => sql`json_insert(coalesce(${column}, '[]'), '$[#]', json(${item}))`,

  timePart,
  multiplied,
  encodeFactor,

  like: (column, pattern) => sql<boolean>`${column} glob ${pattern}`,
  encodePattern: globPattern,
  folded: (column) => sql<string>`${sql.ref(FOLD)}(${column})`,
  words: sqliteWords,

  // A bare parameter is read by the planner: the engine prepares the statement again for each call.
  rowCount: sql`${sql.val(1)} + 0`,

  // One writer at a time: between a subselect and the change around it no other writer gets in.
  lockRow: sql``,
  lockShared: sql``,
  lockFree: sql``
})

function among({ own, other, rows, meet }: RelatedRows): RawBuilder<boolean> {
  return sql<boolean>`${own} in (select ${other} from ${rows}${meet === null ? sql`` : sql` where ${meet}`})`
}

function rowValues(width: number, count: number): RawBuilder<unknown> {
  const row = sql`(${sql.join(Array.from({ length: width }, () => sql.val(null)))})`
  return sql`values ${sql.join(Array.from({ length: count }, () => row))}`
}

/** What is compared is the JSON of a value, as it was written. */
function isItem(column: Expression<unknown>, names: readonly string[] | null): RawBuilder<unknown> {
  if (names === null) return sql`${column} -> held.fullkey = ${sql.val(null)}`
  const tests = names.map(
    (name) => sql`${column} -> (held.fullkey || ${sql.lit(`.${JSON.stringify(name)}`)}) = ${sql.val(null)}`
  )
  return tests.length === 0 ? sql`held.type = 'object'` : sql.join(tests, sql` and `)
}

/** As JSON, which says integers of any length. */
function listText(values: readonly unknown[]): string {
  return typeof values[0] === 'bigint' ? `[${values.join()}]` : JSON.stringify(values)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
}
