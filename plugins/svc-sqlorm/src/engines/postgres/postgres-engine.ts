/** PostgreSQL through `pg`: how it stores types, and how it states criteria. Text compares by code point: collation "C". */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { TimePart, TimeUnit } from 'svc-stores/table'
import type { ColumnType } from '../../schema/table-definition.ts'
import type { RelatedRows, SqlEngine, TimeText } from '../sql-engine.ts'
import { postgresAlteration } from './postgres-alteration.ts'
import { postgresFailure } from './postgres-failure.ts'
import { methodClause } from './postgres-index.ts'
import type { PreparedNames } from './postgres-pool.ts'
import { postgresSchema } from './postgres-schema.ts'
import { POSTGRES_TYPES } from './postgres-types.ts'
import { postgresWords, searchesWords } from './postgres-words.ts'

/** Knows the lower case of every script, whatever the locale of the server. */
const UNICODE = 'und-x-icu'

/** Any constant will do that no other application locks on the same database: `svc` as a number. */
const SCHEMA_LOCK = 0x73_76_63

/** Numbers as they are written: JSON of others may hold some that no double does. */
const PATH_VALUES = {
  number: (text: RawBuilder<unknown>) => sql`(${text})::numeric`,
  string: (text: RawBuilder<unknown>) => sql`(${text}) collate "C"`,
  boolean: (text: RawBuilder<unknown>) => sql`(${text})::boolean`
}

export function postgresEngine(pool: pg.Pool, names: PreparedNames): SqlEngine {
  let collation = 'default'
  return Object.freeze<SqlEngine>({
    name: 'postgres',
    vendor: 'postgresql',
    driver: 'pg',
    hasIsolation: true,
    countsInFind: false,
    failure: postgresFailure,
    pool: () => ({ size: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),

    prepare: (text) => {
      if (!searchesWords(text)) names.add(text)
    },

    async version(db) {
      const unicode = sql`exists (select 1 from pg_collation where collname = ${UNICODE})`
      const { rows } = await sql<{ version: string; unicode: boolean }>`
        select current_setting('server_version') as version, ${unicode} as unicode`.execute(db)
      // A server without ICU lowers what its own locale knows.
      if (rows[0]?.unicode === true) collation = UNICODE
      return rows[0]?.version ?? ''
    },

    async now(db) {
      const { rows } = await sql<{ ms: string }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db)
      return Number(rows[0]?.ms)
    },

    // A temporary table needs no right on the schema, and takes room on the same disk.
    probeWrite: (db) =>
      db.transaction().execute((tx) =>
        sql`create temp table svc_write_probe on commit drop as
          select md5(n::text) as filler from generate_series(1, 512) n`.execute(tx)
      ),

    columnTypes: POSTGRES_TYPES,
    tableEnd: '',

    keyName: '',
    inlineReferences: false,
    existingSchema: postgresSchema,
    alteration: postgresAlteration,

    async lockSchema(db) {
      await sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)})`.execute(db)
    },
    nullsLowest: { asc: 'asc nulls first', desc: 'desc nulls last' },

    distinct: (column, value) => sql<boolean>`${column} is distinct from ${value}`,

    // The planner makes a join of these. Of `in` it does so too, but of no `not in`, which null may leave undecided.
    related: (rows) => sql<boolean>`exists ${joining(rows)}`,
    unrelated: (rows) => sql<boolean>`not exists ${joining(rows)}`,
    // Of a recursive query the planner expects many rows, and would rather read the whole table than look each one up.
    answeredBy: (column, query) => sql<boolean>`${column} = any(array(${query}))`,

    oneOf: (column, _type, values) => sql<boolean>`${column} = any(${sql.join(values)})`,
    fewOf: (column, table, name, list) =>
      sql<boolean>`${column} = any(array(select unnest(${listOf(sql.table(table), name, list)})))`,
    encodeList: (_type, values) => [values],

    givenRows(table, name, columns) {
      const names = columns.map((_, place) => sql.ref(`column${place + 1}`))
      return sql`${unnested(table, columns)} as ${sql.ref(name)}(${sql.join(names)})`
    },
    newRows: (table, columns) => sql`select * from ${unnested(table, columns)}`,
    encodeRows(values, width) {
      const valuesIn = (column: number) =>
        Array.from({ length: values.length / width }, (_, row) => values[row * width + column])
      return Array.from({ length: width }, (_, column) => valuesIn(column))
    },
    rowsAtOnce: 5000,

    firstOfEach({ columns, table, name, column, values, rows, order }) {
      const own = sql`select ${sql.ref(name)}.* from ${table}${rows(name, sql.ref('owner.value'))}`
      const each = sql`unnest(${listOf(table, column, values)}) as owner(value) cross join lateral (${own}) as ${sql.ref(name)}`
      return sql`select ${columns} from ${each}${order}`
    },
    atPath(column, kind) {
      const value = sql`${column} #> ${sql.val(null)}`
      if (kind === 'present') return sql`(${value})`
      if (kind === 'held') return sql`nullif(${value}, 'null'::jsonb)`
      const text = sql`${column} #>> ${sql.val(null)}`
      return sql`case when jsonb_typeof(${value}) = ${sql.lit(kind)} then ${PATH_VALUES[kind](text)} end`
    },
    encodeAtPath: (path, kind) => (kind === 'present' || kind === 'held' ? [path] : [path, path]),
    encodePathValue: String,
    pathOrder(column) {
      const type = sql`jsonb_typeof(${column} #> ${sql.val(null)})`
      const text = sql`(${column} #>> ${sql.val(null)})`
      return [
        sql`case ${type} when 'number' then 1 when 'string' then 2 when 'boolean' then 3 end`,
        sql`case ${type} when 'number' then ${text}::numeric end`,
        sql`case when ${type} in ('string', 'boolean') then ${text} end collate "C"`
      ]
    },
    encodePathOrder: (path) => Array.from({ length: 5 }, () => path),

    holdsOneOf: (column, _type, items) => sql<boolean>`${column} @> any(${items}::jsonb[])`,
    encodeItems: (_type, values) => values.map((value) => JSON.stringify([value])),

    holdsItem: (column) => sql<boolean>`${column} @> ${sql.val(null)}::jsonb`,
    without: (column) => {
      const kept = sql`where not jsonb_build_array(held.item) @> ${sql.val(null)}::jsonb`
      const items = sql`from jsonb_array_elements(${column}) with ordinality as held(item, place) ${kept}`
      const list = sql`(select coalesce(jsonb_agg(held.item order by held.place), '[]') ${items})`
      return sql`case when ${column} is not null then ${list} end`
    },
    encodeItem: (item) => [JSON.stringify([item])],
    appended: (column, item) => sql`coalesce(${column}, '[]') || jsonb_build_array(${item}::jsonb)`,

    timePart,

    // Of negative zero, adding 0 makes zero.
    multiplied: (column, type) =>
      type === 'float'
        ? sql`${column} * ${sql.val(null)} + 0`
        : sql`round(${column} * cast(${sql.val(null)} as numeric))`,
    encodeFactor: (_type, factor) => [factor],

    like: (column, pattern) => sql<boolean>`${column} like ${pattern}`,
    encodePattern: (pattern) => pattern,
    folded: (column) => sql<string>`lower(${column} collate ${sql.ref(collation)})`,
    words: postgresWords,
    async methodClause(db, method, column) {
      // A migration may come before the connection opens, which asks for the collation.
      await this.version(db)
      return methodClause(db, method, column, this.folded(column))
    },

    rowCount: sql`${sql.val(1)}`,
    lockRow: sql`for update`,
    lockShared: sql`for share`,
    lockFree: sql`for update skip locked`
  })
}

const TIME_FORMATS: Readonly<Record<TimeUnit, string>> = {
  year: 'YYYY',
  quarter: 'YYYY-"Q"Q',
  month: 'YYYY-MM',
  week: 'IYYY-"W"IW',
  day: 'YYYY-MM-DD',
  hour: 'YYYY-MM-DD"T"HH24'
}

/** What is no moment and no day is epoch milliseconds. */
function timePart(column: Expression<unknown>, type: ColumnType, { unit, zone }: TimePart): TimeText {
  const format = sql.lit(TIME_FORMATS[unit])
  if (type === 'text') return { text: sql`to_char(cast(${column} as date), ${format})`, parameters: [] }
  const moment = type === 'date' ? column : sql`to_timestamp(${column} / 1000.0)`
  return { text: sql`to_char(${moment} at time zone cast(${sql.val(null)} as text), ${format})`, parameters: [zone] }
}

/** Values of the type of the column, which may be another one than a new column of its kind has. */
function listOf(table: Expression<unknown>, column: string, values: Expression<unknown>): RawBuilder<unknown> {
  return sql`coalesce((select array_agg(${sql.ref(`typed.${column}`)}) from ${table} as typed where false), ${values})`
}

/** Rows of one list for each column. */
function unnested(table: string, columns: readonly string[]): RawBuilder<unknown> {
  return sql`unnest(${sql.join(columns.map((column) => listOf(sql.table(table), column, sql.val(null))))})`
}

function joining({ own, other, rows, meet }: RelatedRows): RawBuilder<unknown> {
  return sql`(select 1 from ${rows} where ${other} = ${own}${meet === null ? sql`` : sql` and ${meet}`})`
}
