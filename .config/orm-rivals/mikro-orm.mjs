/** MikroORM on the tables that the repositories made; a fork per call, as it asks for. */
import { EntitySchema, MikroORM, raw } from '@mikro-orm/core'
import { PostgreSqlDriver } from '@mikro-orm/postgresql'
import { NodeSqliteDialect, SqliteDriver } from '@mikro-orm/sql'

const id = { type: 'string', primary: true }

const Article = new EntitySchema({
  name: 'Article',
  tableName: 'article',
  properties: { id, title: { type: 'string' }, body: { type: 'text' }, stars: { type: 'integer' } }
})
const Customer = new EntitySchema({
  name: 'Customer',
  tableName: 'customer',
  properties: {
    id,
    name: { type: 'string' },
    city: { type: 'string' },
    purchases: { kind: '1:m', entity: () => Purchase, mappedBy: 'customer' }
  }
})
const Purchase = new EntitySchema({
  name: 'Purchase',
  tableName: 'purchase',
  properties: {
    id,
    placed: { type: 'integer' },
    total: { type: 'integer' },
    at: { type: 'datetime' },
    customer: { kind: 'm:1', entity: () => Customer, fieldName: 'customerId' }
  }
})
const Stock = new EntitySchema({
  name: 'Stock',
  tableName: 'stock',
  properties: { id, sku: { type: 'string', unique: true }, amount: { type: 'integer' } }
})
const Enrolment = new EntitySchema({
  name: 'Enrolment',
  tableName: 'enrolment',
  properties: {
    course: { type: 'string', primary: true },
    student: { type: 'string', primary: true },
    grade: { type: 'integer' }
  }
})
const entities = [Article, Customer, Purchase, Stock, Enrolment]

export async function openSide({ engine, target, zone }) {
  const isSqlite = engine === 'sqlite'
  const where = isSqlite
    ? { driver: SqliteDriver, dbName: target, driverOptions: new NodeSqliteDialect(target) }
    : { driver: PostgreSqlDriver, clientUrl: target }
  const orm = await MikroORM.init({ ...where, entities })
  if (isSqlite) await orm.em.getConnection().execute('pragma synchronous = normal')
  return {
    find: (id) => orm.em.fork().findOne('Article', { id }),
    insert: (row) => orm.em.fork().insert('Article', { ...row }),
    list: (stars) =>
      orm.em
        .fork()
        .find('Article', { stars: { $gte: stars } }, { orderBy: [{ title: 'asc' }, { id: 'asc' }], limit: 20 }),
    addStar: (id) => orm.em.fork().nativeUpdate('Article', { id }, { stars: raw('stars + 1') }),
    groups: () =>
      orm.em
        .fork()
        .createQueryBuilder('Article')
        .select(['stars', raw('count(*) as "rows"')])
        .groupBy('stars')
        .orderBy({ stars: 'asc' })
        .execute('all'),
    questions: questions(orm, isSqlite ? MONTH : `to_char("at" at time zone '${zone}', 'YYYY-MM')`),
    close: () => orm.close()
  }
}

const MONTH = `strftime('%Y-%m', "at" / 1000, 'unixepoch')`

/** Its full text is that of a column, or of a table, which one makes and fills by hand; what calls itself is SQL by hand. */
function questions(orm, month) {
  return {
    async counts(city) {
      const em = orm.em.fork()
      const customers = await em.find('Customer', { city }, { orderBy: { id: 'asc' } })
      const counts = await em.countBy('Purchase', 'customer', { where: { customer: customers.map(({ id }) => id) } })
      return customers.map(({ id, name, city }) => ({ id, name, city, purchases: counts[id] ?? 0 }))
    },
    async newest(city) {
      const hint = { limit: 3, orderBy: { placed: 'desc' } }
      const options = { populate: ['purchases'], populateHints: { purchases: hint }, orderBy: { id: 'asc' } }
      const customers = await orm.em.fork().find('Customer', { city }, options)
      return customers.map(({ id, name, city, purchases }) => ({ id, name, city, purchases: purchases.getItems() }))
    },
    ordered: (from) =>
      orm.em
        .fork()
        .find(
          'Purchase',
          { placed: { $gte: from, $lt: from + 1000 } },
          { orderBy: [{ customer: { name: 'asc' } }, { id: 'asc' }], limit: 100 }
        ),
    months: () =>
      orm.em
        .fork()
        .createQueryBuilder('Purchase')
        .select([raw(`${month} as "month"`), raw('count(*) as "rows"'), raw('sum("total") as "total"')])
        .groupBy(raw(month))
        .orderBy({ [raw(month)]: 'asc' })
        .execute('all'),
    upsert: (row) =>
      orm.em.fork().upsert('Stock', { ...row }, { onConflictFields: ['sku'], onConflictMergeFields: ['amount'] }),
    upsertMany: (rows) => {
      const given = rows.map((row) => ({ ...row }))
      return orm.em.fork().upsertMany('Stock', given, { onConflictFields: ['sku'], onConflictMergeFields: ['amount'] })
    },
    // Its unit of work writes what differs, in one statement for many rows.
    async updateEach(rows) {
      const em = orm.em.fork()
      const found = await em.find('Stock', { id: rows.map(({ id }) => id) })
      const byId = new Map(found.map((row) => [row.id, row]))
      for (const { id, amount } of rows) byId.get(id).amount = amount
      await em.flush()
    },
    pair: (course, student) => orm.em.fork().findOne('Enrolment', { course, student })
  }
}
