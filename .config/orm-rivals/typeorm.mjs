/** TypeORM on the tables that the repositories made; its better-sqlite3 driver runs on Node's own SQLite, as the other sides do. */
import 'reflect-metadata'
import { DatabaseSync } from 'node:sqlite'
import { And, DataSource, EntitySchema, LessThan, MoreThanOrEqual } from 'typeorm'

const id = { type: String, primary: true }

const Article = new EntitySchema({
  name: 'Article',
  tableName: 'article',
  columns: { id, title: { type: String }, body: { type: 'text' }, stars: { type: 'integer' } }
})
const Customer = new EntitySchema({
  name: 'Customer',
  tableName: 'customer',
  columns: { id, name: { type: String }, city: { type: String } }
})
const purchase = (at) =>
  new EntitySchema({
    name: 'Purchase',
    tableName: 'purchase',
    columns: { id, placed: { type: 'integer' }, total: { type: 'integer' }, at, customerId: { type: String } },
    relations: { customer: { type: 'many-to-one', target: 'Customer', joinColumn: { name: 'customerId' } } }
  })
const Stock = new EntitySchema({
  name: 'Stock',
  tableName: 'stock',
  columns: { id, sku: { type: String, unique: true }, amount: { type: 'integer' } }
})
const Enrolment = new EntitySchema({
  name: 'Enrolment',
  tableName: 'enrolment',
  columns: {
    course: { type: String, primary: true },
    student: { type: String, primary: true },
    grade: { type: 'integer' }
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

export async function openSide({ engine, target, zone }) {
  const isSqlite = engine === 'sqlite'
  const where = isSqlite
    ? { type: 'better-sqlite3', driver: NodeSqlite, database: target }
    : { type: 'postgres', url: target }
  const Purchase = purchase({ type: isSqlite ? 'integer' : 'timestamptz' })
  const entities = [Article, Customer, Purchase, Stock, Enrolment]
  const source = await new DataSource({ ...where, entities }).initialize()
  if (isSqlite) await source.query('pragma synchronous = normal')
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
    questions: questions(source, isSqlite ? MONTH : `to_char("at" at time zone '${zone}', 'YYYY-MM')`),
    close: () => source.destroy()
  }
}

const MONTH = `strftime('%Y-%m', "at" / 1000, 'unixepoch')`

/** Its trees are rows that hold their path, their bounds or a table of pairs, and it has no search. */
function questions(source, month) {
  const [customers, purchases] = [source.getRepository('Customer'), source.getRepository('Purchase')]
  const [stock, enrolments] = [source.getRepository('Stock'), source.getRepository('Enrolment')]
  return {
    counts: (city) =>
      customers
        .createQueryBuilder('c')
        .select(['c.id as id', 'c.name as name', 'c.city as city'])
        .addSelect((of) => of.select('count(*)').from('Purchase', 'p').where('p.customerId = c.id'), 'purchases')
        .where('c.city = :city', { city })
        .orderBy('c.id')
        .getRawMany(),
    ordered: (from) =>
      purchases.find({
        where: { placed: And(MoreThanOrEqual(from), LessThan(from + 1000)) },
        order: { customer: { name: 'ASC' }, id: 'ASC' },
        relations: { customer: true },
        take: 100
      }),
    months: () =>
      purchases
        .createQueryBuilder('p')
        .select(month, 'month')
        .addSelect('count(*)', 'rows')
        .addSelect('sum(p.total)', 'total')
        .groupBy(month)
        .orderBy(month)
        .getRawMany(),
    upsert: (row) => upserted(stock, { ...row }),
    upsertMany: (rows) =>
      upserted(
        stock,
        rows.map((row) => ({ ...row }))
      ),
    updateEach: (rows) => stock.save(rows.map((row) => ({ ...row }))),
    pair: (course, student) => enrolments.findOneBy({ course, student })
  }
}

/** `upsert` of a repository writes the id as well. */
function upserted(stock, rows) {
  return stock.createQueryBuilder().insert().values(rows).orUpdate(['amount'], ['sku']).execute()
}
