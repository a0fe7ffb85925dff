/** Drizzle on the tables that the repositories made, its statements prepared; on SQLite its session of better-sqlite3 runs on Node's own. */
import { DatabaseSync } from 'node:sqlite'
import { and, asc, count, desc, eq, gte, inArray, lt, relations, sql, sum } from 'drizzle-orm'
import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session'
import { drizzle } from 'drizzle-orm/node-postgres'
import * as pgCore from 'drizzle-orm/pg-core'
import { createTableRelationsHelpers, extractTablesRelationalConfig } from 'drizzle-orm/relations'
import * as sqliteCore from 'drizzle-orm/sqlite-core'
import pg from 'pg'

/** What Drizzle calls of better-sqlite3. */
class NodeSqlite {
  #database

  constructor(file) {
    this.#database = new DatabaseSync(file)
    this.#database.exec('pragma synchronous = normal')
  }

  prepare(text) {
    const statement = this.#database.prepare(text)
    return {
      run: (...parameters) => statement.run(...parameters),
      raw: () => {
        statement.setReturnArrays(true)
        return statement
      }
    }
  }

  close() {
    this.#database.close()
  }
}

function onSqlite(target) {
  const client = new NodeSqlite(target)
  const dialect = new sqliteCore.SQLiteSyncDialect()
  const { sqliteTable, text, integer } = sqliteCore
  const tables = tablesOf(sqliteTable, { text, number: integer, id: text, at: () => integer({ mode: 'timestamp_ms' }) })
  const { tables: schema, tableNamesMap } = extractTablesRelationalConfig(tables, createTableRelationsHelpers)
  const known = { fullSchema: tables, schema, tableNamesMap }
  const session = new BetterSQLiteSession(client, dialect, known)
  return {
    db: new sqliteCore.BaseSQLiteDatabase('sync', dialect, session, known),
    tables,
    month: (column) => sql`strftime('%Y-%m', ${column} / 1000, 'unixepoch')`,
    close: async () => client.close()
  }
}

function onPostgres(target, zone) {
  const pool = new pg.Pool({ connectionString: target, max: 10 })
  const { pgTable, text, bigint, uuid, timestamp } = pgCore
  const number = () => bigint({ mode: 'number' })
  const tables = tablesOf(pgTable, { text, number, id: uuid, at: () => timestamp({ withTimezone: true }) })
  return {
    db: drizzle(pool, { schema: tables }),
    tables,
    month: (column) => sql`to_char(${column} at time zone ${sql.raw(`'${zone}'`)}, 'YYYY-MM')`,
    close: () => pool.end()
  }
}

function tablesOf(table, { text, number, id, at }) {
  const articles = table('article', { id: id(), title: text(), body: text(), stars: number() })
  const customers = table('customer', { id: id(), name: text(), city: text() })
  const purchases = table('purchase', { id: id(), placed: number(), total: number(), at: at(), customerId: id() })
  const stock = table('stock', { id: id(), sku: text(), amount: number() })
  const enrolments = table('enrolment', { course: text(), student: text(), grade: number() })
  return {
    ...{ articles, customers, purchases, stock, enrolments },
    ofCustomers: relations(customers, ({ many }) => ({ purchases: many(purchases) })),
    ofPurchases: relations(purchases, ({ one }) => ({
      customer: one(customers, { fields: [purchases.customerId], references: [customers.id] })
    }))
  }
}

export async function openSide({ engine, target, zone }) {
  const { db, tables, month, close } = engine === 'sqlite' ? onSqlite(target) : onPostgres(target, zone)
  const { articles } = tables
  const given = (name) => sql.placeholder(name)
  const find = db
    .select()
    .from(articles)
    .where(eq(articles.id, given('id')))
    .prepare('article_find')
  const list = db
    .select()
    .from(articles)
    .where(gte(articles.stars, given('stars')))
    .orderBy(asc(articles.title), asc(articles.id))
    .limit(20)
    .prepare('article_list')
  const values = { id: given('id'), title: given('title'), body: given('body'), stars: given('stars') }
  const insert = db.insert(articles).values(values).prepare('article_insert')
  const addStar = db
    .update(articles)
    .set({ stars: sql`${articles.stars} + 1` })
    .where(eq(articles.id, given('id')))
    .prepare('article_add_star')
  const groups = db
    .select({ stars: articles.stars, rows: count() })
    .from(articles)
    .groupBy(articles.stars)
    .orderBy(asc(articles.stars))
    .prepare('article_groups')
  return {
    find: async (id) => (await find.execute({ id }))[0],
    insert: async (row) => insert.execute({ ...row }),
    list: async (stars) => list.execute({ stars }),
    addStar: async (id) => addStar.execute({ id }),
    groups: async () => groups.execute(),
    questions: questions(db, tables, month),
    close
  }
}

/** It has no search, no trees, and no common table expression that calls itself. */
function questions(db, { customers, purchases, stock, enrolments }, month) {
  const given = (name) => sql.placeholder(name)
  const counts = db
    .select({
      ...{ id: customers.id, name: customers.name, city: customers.city },
      purchases: db.$count(purchases, eq(purchases.customerId, customers.id))
    })
    .from(customers)
    .where(eq(customers.city, given('city')))
    .orderBy(asc(customers.id))
    .prepare('customer_counts')
  const newest = db.query.customers
    .findMany({
      where: eq(customers.city, given('city')),
      orderBy: asc(customers.id),
      with: { purchases: { orderBy: desc(purchases.placed), limit: 3 } }
    })
    .prepare('customer_newest')
  const ordered = db
    .select({
      ...{ id: purchases.id, placed: purchases.placed, total: purchases.total },
      ...{ at: purchases.at, customerId: purchases.customerId }
    })
    .from(purchases)
    .innerJoin(customers, eq(customers.id, purchases.customerId))
    .where(and(gte(purchases.placed, given('from')), lt(purchases.placed, given('to'))))
    .orderBy(asc(customers.name), asc(purchases.id))
    .limit(100)
    .prepare('purchase_ordered')
  const months = db
    .select({ month: month(purchases.at).as('month'), rows: count(), total: sum(purchases.total) })
    .from(purchases)
    .groupBy(sql`month`)
    .orderBy(sql`month`)
    .prepare('purchase_months')
  const taken = { target: stock.sku, set: { amount: sql`excluded.amount` } }
  const upsert = db
    .insert(stock)
    .values({ id: given('id'), sku: given('sku'), amount: given('amount') })
    .onConflictDoUpdate(taken)
    .returning()
    .prepare('stock_upsert')
  const pair = db
    .select()
    .from(enrolments)
    .where(and(eq(enrolments.course, given('course')), eq(enrolments.student, given('student'))))
    .prepare('enrolment_pair')
  return {
    counts: async (city) => counts.execute({ city }),
    newest: async (city) => newest.execute({ city }),
    ordered: async (from) => ordered.execute({ from, to: from + 1000 }),
    months: async () => months.execute(),
    upsert: async (row) => upsert.execute({ ...row }),
    upsertMany: async (rows) =>
      db
        .insert(stock)
        .values([...rows])
        .onConflictDoUpdate(taken)
        .returning()
        .execute(),
    // Its own guide says this of many rows with different values.
    updateEach: async (rows) => {
      const chunks = rows.map(({ id, amount }) => sql`when ${stock.id} = ${id} then cast(${amount} as bigint)`)
      const amount = sql`(case ${sql.join(chunks, sql.raw(' '))} end)`
      const ids = rows.map(({ id }) => id)
      return db.update(stock).set({ amount }).where(inArray(stock.id, ids)).returning().execute()
    },
    pair: async (course, student) => (await pair.execute({ course, student }))[0]
  }
}
