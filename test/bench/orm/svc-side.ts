/** The repositories. */
import type { FastifyInstance } from 'fastify'
import type { Place, Side } from './side.ts'
import { Article, Category, Customer, Enrolment, Page, Purchase, Stock } from './tables.ts'

const NEWEST = { include: { purchases: { order: [['placed', 'DESC']], limit: 3 } } } as const

export function svcSide(fastify: FastifyInstance, { zone }: Place): Side {
  const { orm } = fastify
  const [articles, customers, purchases] = [orm.repository(Article), orm.repository(Customer), orm.repository(Purchase)]
  const [stock, pages, categories] = [orm.repository(Stock), orm.repository(Page), orm.repository(Category)]
  const enrolments = orm.repository(Enrolment)
  const byMonth = {
    by: [{ month: 'at', zone }],
    measures: { rows: { count: true }, total: { sum: 'total' } }
  } as const
  return {
    find: (id) => articles.findOne({ id }),
    insert: ({ id: _id, ...values }) => articles.create(values),
    list: (stars) => articles.find({ stars: { $gte: stars } }, { order: [['title', 'ASC']], limit: 20 }),
    addStar: (id) => articles.updateMany({ id }, { stars: { $add: 1 } }),
    groups: () => articles.groupBy({}, { by: ['stars'], measures: { rows: { count: true } } }),
    questions: {
      counts: (city) => customers.find({ city }, { counts: { purchases: true } }),
      newest: (city) => customers.find({ city }, NEWEST as never),
      ordered: (from) =>
        purchases.find(
          { placed: { $gte: from, $lt: from + 1000 } },
          { order: [['customer.name', 'ASC']] as never, limit: 100 }
        ),
      months: () => purchases.groupBy({}, byMonth),
      upsert: ({ sku, amount }) => stock.upsert({ sku }, { sku, amount }, { update: true }),
      upsertMany: (rows) =>
        stock.upsertMany(
          rows.map(({ sku, amount }) => ({ sku, amount })),
          { on: ['sku'], update: true }
        ),
      updateEach: (rows) => stock.updateEach(rows),
      search: (word, beginning) =>
        pages.find({ $search: `${word} ${beginning}*` }, { order: [['id', 'ASC']], limit: 20 }),
      below: (id) => categories.descendants(id, { self: true }),
      pair: (course, student) => enrolments.findOne({ course, student })
    },
    close: () => fastify.close()
  }
}
