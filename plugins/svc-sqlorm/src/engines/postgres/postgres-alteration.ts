/** Changes to tables of PostgreSQL. All of it can be undone with its transaction. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ReferenceRule } from 'svc-stores/table'
import { referenceName } from '../../schema/table-definition.ts'
import { presetSql } from '../column-type.ts'
import type { ExistingReference, SchemaAlteration } from '../schema-alteration.ts'
import { addReference, updateEachRow } from '../schema-statements.ts'
import { POSTGRES_TYPES } from './postgres-types.ts'

interface ReferenceRow extends Omit<ExistingReference, 'onDelete' | 'within'> {
  readonly within: string | null
  readonly rule: string
}

const RULES: Readonly<Record<string, ReferenceRule>> = { a: 'restrict', r: 'restrict', c: 'cascade', n: 'setNull' }

export const postgresAlteration: SchemaAlteration = Object.freeze<SchemaAlteration>({
  async hasTable(db, table) {
    const found = await sql`select 1 from pg_class
      where relname = ${table} and relnamespace = (select oid from pg_namespace where nspname = current_schema())`.execute(
      db
    )
    return found.rows.length > 0
  },

  async dropTables(db, tables) {
    await sql`drop table if exists ${sql.join(tables.map((table) => sql.table(table)))}`.execute(db)
  },

  async dropIndex(db, name) {
    await sql`drop index if exists ${sql.ref(name)}`.execute(db)
  },

  async references(db) {
    const { rows } = await sql<ReferenceRow>`
      select c.conname as "name", t.relname as "table", a.attname as "column", o.relname as "target",
        k.attname as "key", w.attname as "within", c.confdeltype as "rule",
        c.condeferrable and c.condeferred as "deferrable"
      from pg_constraint c
        join pg_class t on t.oid = c.conrelid join pg_class o on o.oid = c.confrelid
        join pg_attribute a on a.attrelid = t.oid and a.attnum = c.conkey[cardinality(c.conkey)]
        join pg_attribute k on k.attrelid = o.oid and k.attnum = c.confkey[cardinality(c.conkey)]
        left join pg_attribute w on w.attrelid = t.oid and w.attnum = c.conkey[1] and cardinality(c.conkey) = 2
        left join pg_attribute v on v.attrelid = o.oid and v.attnum = c.confkey[1] and cardinality(c.conkey) = 2
      where c.contype = 'f' and (cardinality(c.conkey) = 1 or cardinality(c.conkey) = 2 and w.attname = v.attname)
        and t.relnamespace = (select oid from pg_namespace where nspname = current_schema())`.execute(db)
    return rows.map(({ rule, within, ...reference }) => ({
      ...reference,
      ...(within !== null && { within }),
      onDelete: RULES[rule] ?? null
    }))
  },

  // The second statement looks at the rows, and writes of other tables go on meanwhile.
  async addReference(db, table, reference) {
    await sql`${addReference(table, reference)} not valid`.execute(db)
    const name = sql.ref(referenceName(table, reference))
    await sql`alter table ${sql.table(table)} validate constraint ${name}`.execute(db)
  },

  async dropReference(db, { table, name }) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name ?? '')}`.execute(db)
  },

  begin: async () => undefined,
  end: async () => undefined,
  check: async () => undefined,
  settle,

  async alterColumn(db, { table, to, source, nullable, filled }) {
    await settle(db)
    const alter = (what: RawBuilder<unknown>) => sql`alter table ${sql.table(table)} ${what}`.execute(db)
    const column = sql.ref(to.name)
    if (source !== null) {
      await alter(sql`drop column ${column}`)
      await alter(sql`rename column ${sql.ref(source)} to ${column}`)
      const check = POSTGRES_TYPES[to.type].check?.(to.name)
      if (check !== undefined) await alter(sql`add${sql.raw(check)}`)
    }
    // A column that was made of another one may be null, and has no default.
    if ((source !== null || nullable) !== (to.nullable === true)) {
      await alter(sql`alter column ${column} ${to.nullable === true ? sql`drop` : sql`set`} not null`)
    }
    if (to.default !== undefined)
      await alter(sql`alter column ${column} set default ${sql.raw(presetSql(POSTGRES_TYPES[to.type], to.default))}`)
    else if (filled && source === null) await alter(sql`alter column ${column} drop default`)
  },

  async primaryKey(db, table) {
    const { rows } = await sql<{ name: string }>`
      select a.attname as "name" from pg_index i
        join pg_class t on t.oid = i.indrelid
        join pg_attribute a on a.attrelid = t.oid and a.attnum = any(i.indkey)
      where i.indisprimary and t.relname = ${table}
        and t.relnamespace = (select oid from pg_namespace where nspname = current_schema())
      order by array_position(i.indkey::smallint[], a.attnum)`.execute(db)
    return rows.map(({ name }) => name)
  },

  async updateRows(db, keyed, columns, rows) {
    const { table, key } = keyed
    if (key.length > 1) return updateEachRow(db, keyed, columns, rows)
    const lists = [{ name: 'id', type: 'text' as const }, ...columns].map(
      ({ type }, place) =>
        sql`${rows.map((row) => row[place])}::${sql.raw(POSTGRES_TYPES[type].cast ?? POSTGRES_TYPES[type].sql)}[]`
    )
    const names = sql.join(columns.map((_, place) => sql.ref(`c${place}`)))
    const changes = sql.join(columns.map(({ name }, place) => sql`${sql.ref(name)} = given.${sql.ref(`c${place}`)}`))
    await sql`update ${sql.table(table)} set ${changes}
      from unnest(${sql.join(lists)}) as given(key, ${names}) where ${sql.ref(`${table}.id`)} = given.key`.execute(db)
  }
})

/** A preview does not show it: it changes nothing. */
async function settle(db: Kysely<unknown>): Promise<void> {
  const unseen = db.withoutPlugins()
  await sql`set constraints all immediate`.execute(unseen)
  await sql`set constraints all deferred`.execute(unseen)
}
