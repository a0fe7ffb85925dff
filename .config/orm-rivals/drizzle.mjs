/** Drizzle on the table that the repositories made, its statements prepared; on SQLite its session of better-sqlite3 runs on Node's own. */
import { DatabaseSync } from 'node:sqlite'
import { asc, count, eq, gte, sql } from 'drizzle-orm'
import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session'
import { drizzle } from 'drizzle-orm/node-postgres'
import * as pgCore from 'drizzle-orm/pg-core'
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
  return {
    db: new sqliteCore.BaseSQLiteDatabase('sync', dialect, new BetterSQLiteSession(client, dialect, undefined)),
    articles: sqliteTable('article', { id: text(), title: text(), body: text(), stars: integer() }),
    close: async () => client.close()
  }
}

function onPostgres(target) {
  const pool = new pg.Pool({ connectionString: target, max: 10 })
  const { pgTable, text, bigint, uuid } = pgCore
  return {
    db: drizzle(pool),
    articles: pgTable('article', { id: uuid(), title: text(), body: text(), stars: bigint({ mode: 'number' }) }),
    close: () => pool.end()
  }
}

export async function openSide({ engine, target }) {
  const { db, articles, close } = engine === 'sqlite' ? onSqlite(target) : onPostgres(target)
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
    close
  }
}
