/** TypeORM on the table that the repositories made; its better-sqlite3 driver runs on Node's own SQLite, as the other sides do. */
import 'reflect-metadata'
import { DatabaseSync } from 'node:sqlite'
import { DataSource, EntitySchema, MoreThanOrEqual } from 'typeorm'

const Article = new EntitySchema({
  name: 'Article',
  tableName: 'article',
  columns: {
    id: { type: String, primary: true },
    title: { type: String },
    body: { type: 'text' },
    stars: { type: 'integer' }
  }
})

/** What TypeORM calls of better-sqlite3. */
class NodeSqlite {
  #database

  constructor(file) {
    this.#database = new DatabaseSync(file)
  }

  prepare(text) {
    const statement = this.#database.prepare(text)
    return {
      reader: statement.columns().length > 0,
      all: (...parameters) => statement.all(...parameters),
      run: (...parameters) => statement.run(...parameters)
    }
  }

  pragma(text) {
    this.#database.exec(`pragma ${text}`)
  }

  close() {
    this.#database.close()
  }
}

export async function openSide({ engine, target }) {
  const where =
    engine === 'sqlite'
      ? { type: 'better-sqlite3', driver: NodeSqlite, database: target }
      : { type: 'postgres', url: target }
  const source = await new DataSource({ ...where, entities: [Article] }).initialize()
  if (engine === 'sqlite') await source.query('pragma synchronous = normal')
  const articles = source.getRepository(Article)
  return {
    find: (id) => articles.findOneBy({ id }),
    insert: (row) => articles.insert({ ...row }),
    list: (stars) =>
      articles.find({ where: { stars: MoreThanOrEqual(stars) }, order: { title: 'ASC', id: 'ASC' }, take: 20 }),
    addStar: (id) => articles.increment({ id }, 'stars', 1),
    groups: () =>
      articles
        .createQueryBuilder('article')
        .select('article.stars', 'stars')
        .addSelect('count(*)', 'rows')
        .groupBy('article.stars')
        .orderBy('article.stars')
        .getRawMany(),
    close: () => source.destroy()
  }
}
