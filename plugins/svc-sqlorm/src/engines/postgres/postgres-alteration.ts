/** Changes to tables of PostgreSQL. All of it can be undone with its transaction. */
import { type RawBuilder, sql } from 'kysely'
import { presetSql } from '../column-type.ts'
import type { SchemaAlteration } from '../schema-alteration.ts'
import { POSTGRES_TYPES } from './postgres-types.ts'

export const postgresAlteration: SchemaAlteration = Object.freeze<SchemaAlteration>({
  async hasTable(db, table) {
    const found = await sql`select 1 from pg_class
      where relname = ${table} and relnamespace = (select oid from pg_namespace where nspname = current_schema())`.execute(
      db
    )
    return found.rows.length > 0
  },

  begin: async () => undefined,
  end: async () => undefined,
  check: async () => undefined,

  async alterColumn(db, { table, to, source, nullable, filled }) {
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

  async updateRows(db, table, columns, rows) {
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
