/** Kysely on the connection of the repositories. What it has no words for is SQL by hand, as Kysely offers it. */
import { type Kysely, sql } from 'kysely'
import { jsonArrayFrom as jsonArrayOfPostgres } from 'kysely/helpers/postgres'
import { jsonArrayFrom as jsonArrayOfSqlite } from 'kysely/helpers/sqlite'
import type { Amount, Place, Questions, Side } from './side.ts'
import type { Tables } from './tables.ts'

const COLUMNS = ['id', 'title', 'body', 'stars'] as const

export function kyselySide(db: Kysely<Tables>, place: Place): Side {
  return {
    find: (id) => db.selectFrom('article').select(COLUMNS).where('id', '=', id).executeTakeFirst(),
    insert: (row) => db.insertInto('article').values(row).execute(),
    list: (stars) =>
      db
        .selectFrom('article')
        .select(COLUMNS)
        .where('stars', '>=', stars)
        .orderBy('title')
        .orderBy('id')
        .limit(20)
        .execute(),
    addStar: (id) =>
      db
        .updateTable('article')
        .set((eb) => ({ stars: eb('stars', '+', 1) }))
        .where('id', '=', id)
        .execute(),
    groups: () =>
      db
        .selectFrom('article')
        .select(['stars', (eb) => eb.fn.countAll().as('rows')])
        .groupBy('stars')
        .orderBy('stars')
        .execute(),
    questions: questions(db, place),
    close: async () => undefined
  }
}

function questions(db: Kysely<Tables>, { engine, zone }: Place): Questions {
  const isSqlite = engine === 'sqlite'
  const jsonArray = isSqlite ? jsonArrayOfSqlite : jsonArrayOfPostgres
  const month = isSqlite
    ? sql<string>`strftime('%Y-%m', "at" / 1000, 'unixepoch')`
    : sql<string>`to_char("at" at time zone ${sql.lit(zone)}, 'YYYY-MM')`
  return {
    counts: (city) =>
      db
        .selectFrom('customer')
        .select((eb) => [
          ...(['customer.id', 'name', 'city'] as const),
          eb
            .selectFrom('purchase')
            .select(eb.fn.countAll().as('n'))
            .whereRef('customerId', '=', 'customer.id')
            .as('purchases')
        ])
        .where('city', '=', city)
        .orderBy('customer.id')
        .execute(),
    async newest(city) {
      const rows = await db
        .selectFrom('customer')
        .select((eb) => [
          ...(['customer.id', 'name', 'city'] as const),
          jsonArray(
            eb
              .selectFrom('purchase')
              .select(['purchase.id', 'placed', 'total', 'at', 'customerId'])
              .whereRef('customerId', '=', 'customer.id')
              .orderBy('placed', 'desc')
              .limit(3)
          ).as('purchases')
        ])
        .where('city', '=', city)
        .orderBy('customer.id')
        .execute()
      // SQLite answers text.
      return isSqlite
        ? rows.map((row) => ({ ...row, purchases: JSON.parse(row.purchases as unknown as string) }))
        : rows
    },
    ordered: (from) =>
      db
        .selectFrom('purchase')
        .innerJoin('customer', 'customer.id', 'customerId')
        .select(['purchase.id', 'placed', 'total', 'at', 'customerId'])
        .where('placed', '>=', from)
        .where('placed', '<', from + 1000)
        .orderBy('customer.name')
        .orderBy('purchase.id')
        .limit(100)
        .execute(),
    months: () =>
      db
        .selectFrom('purchase')
        .select((eb) => [month.as('month'), eb.fn.countAll().as('rows'), eb.fn.sum('total').as('total')])
        .groupBy('month')
        .orderBy('month')
        .execute(),
    upsert: (row) =>
      db
        .insertInto('stock')
        .values(row)
        .onConflict((conflict) => conflict.column('sku').doUpdateSet((eb) => ({ amount: eb.ref('excluded.amount') })))
        .returningAll()
        .executeTakeFirst(),
    upsertMany: (rows) =>
      db
        .insertInto('stock')
        .values(rows)
        .onConflict((conflict) => conflict.column('sku').doUpdateSet((eb) => ({ amount: eb.ref('excluded.amount') })))
        .returningAll()
        .execute(),
    updateEach: (rows) => {
      const given = isSqlite ? sql`(values ${listOf(rows)})` : unnested(rows)
      return sql`update stock set amount = given.amount from (select column1 as id, column2 as amount from ${given}) as given
        where stock.id = given.id returning stock.id, sku, stock.amount`.execute(db)
    },
    search: (word, beginning) =>
      db
        .selectFrom('page')
        .select(['id', 'title', 'text'])
        .where(
          isSqlite
            ? sql<boolean>`page.rowid in (select rowid from hand where hand match ${`${word} ${beginning}*`})`
            : sql<boolean>`to_tsvector('simple', title || ' ' || text) @@ to_tsquery('simple', ${`${word} & ${beginning}:*`})`
        )
        .orderBy('id')
        .limit(20)
        .execute(),
    below: (id) =>
      db
        .withRecursive('tree', (with_) =>
          with_
            .selectFrom('category')
            .select(['id', 'slug', 'parentId'])
            .where('id', '=', id)
            .unionAll((eb) =>
              eb
                .selectFrom('category as c')
                .innerJoin('tree', 'tree.id', 'c.parentId')
                .select(['c.id', 'c.slug', 'c.parentId'])
            )
        )
        .selectFrom('tree')
        .selectAll()
        .execute(),
    pair: (course, student) =>
      db
        .selectFrom('enrolment')
        .select(['course', 'student', 'grade'])
        .where('course', '=', course)
        .where('student', '=', student)
        .executeTakeFirst()
  }
}

function listOf(rows: readonly Amount[]) {
  return sql.join(rows.map(({ id, amount }) => sql`(${id}, ${amount})`))
}

function unnested(rows: readonly Amount[]) {
  const [ids, amounts] = [rows.map(({ id }) => id), rows.map(({ amount }) => amount)]
  return sql`unnest(${ids}::text[], ${amounts}::bigint[]) as rows(column1, column2)`
}
