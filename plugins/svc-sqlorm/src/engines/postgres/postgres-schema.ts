/** How columns and indexes stand in a PostgreSQL database, by its catalogue. */
import { type Kysely, sql } from 'kysely'
import {
  type ExistingColumn,
  type ExistingIndex,
  type ExistingSchema,
  existingSchema
} from '../../schema/existing-schema.ts'
import { POSTGRES_METHODS } from './postgres-index.ts'
import { fittingTypes } from './postgres-types.ts'

type ColumnRow = Omit<ExistingColumn, 'fits'> & { readonly table: string }

export async function postgresSchema(db: Kysely<unknown>): Promise<ExistingSchema> {
  // A domain counts as the type that it is made of; a view says of no column that it is never null.
  const { rows: columns } = await sql<ColumnRow>`
    select c.relname as "table", a.attname as "name",
      format_type(coalesce(nullif(t.typbasetype, 0), a.atttypid), null) as "type",
      case when c.relkind in ('r', 'p') then a.attnotnull end as "required",
      a.atthasdef or a.attidentity <> '' as "filled"
    from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
    where c.relkind in ('r', 'p', 'v', 'm', 'f')
      and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`.execute(db)
  const { rows: indexes } = await sql<ExistingIndex>`
    select t.relname as "table", i.relname as "name", x.indisunique and x.indisvalid as "unique",
      pg_get_expr(x.indpred, x.indrelid) as "where",
      case when x.indexprs is null then array(
        select a.attname::text
        from unnest(x.indkey::int2[]) with ordinality k(number, place)
          join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number
        where k.place <= x.indnkeyatts
        order by k.place
      ) else '{}' end as "columns"
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where i.relnamespace = (select oid from pg_namespace where nspname = current_schema())`.execute(db)
  return existingSchema(
    columns.map((column) => ({ ...column, fits: fittingTypes(column.type) })),
    indexes,
    POSTGRES_METHODS
  )
}
