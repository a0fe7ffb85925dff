/** Questions that need more than equal values: sums of related rows, months, trees, JSON, the first rows of each. */
import type { AnyRow } from 'svc-orm'
import { byNumber, keysOf, newestFirst, sorted, sum } from './computed.ts'
import type { Question } from './questions.ts'
import { money, type ShopData, type VariantData } from './shop-data.ts'

const HOUR = 3_600_000
/** When the clocks of Berlin went forward, within the data. */
const SUMMER = Date.UTC(2026, 2, 29, 1)

const berlin = (time: number) => new Date(time + (time < SUMMER ? 1 : 2) * HOUR).toISOString()
const stockOf = ({ stock }: VariantData) => sum(Object.values(stock))

const latestOf = (data: ShopData, email: string) =>
  newestFirst(data.orders.filter(({ customer }) => customer.email === email)).slice(0, 3)

export const REPORTS: readonly Question[] = [
  {
    name: 'revenue by month in Berlin, of months above a sum',
    ask: async ({ orders }) => {
      const options = {
        by: [{ month: 'placedAt', zone: 'Europe/Berlin' }],
        measures: { revenue: { sum: 'total' }, open: { count: true, where: { state: 'open' } } },
        having: { revenue: { $gt: '500.00' } }
      }
      return orders.groupBy({ state: { $ne: 'cancelled' } }, options as never)
    },
    answer: (data) => {
      const counted = data.orders.filter(({ state }) => state !== 'cancelled')
      const months = keysOf(counted.map(({ placedAt }) => berlin(placedAt).slice(0, 7)))
      return months
        .map((month) => ({ month, within: counted.filter(({ placedAt }) => berlin(placedAt).startsWith(month)) }))
        .map(({ month, within }) => ({ month, within, revenue: sum(within.map(({ total }) => total)) }))
        .filter(({ revenue }) => revenue > 50_000)
        .map(({ month, within, revenue }) => ({
          ...{ month, revenue: money(revenue) },
          open: within.filter(({ state }) => state === 'open').length
        }))
    }
  },
  {
    name: 'distinct customers per day',
    ask: ({ orders }) => {
      const by = [{ day: 'placedAt', zone: 'Europe/Berlin' }]
      return orders.groupBy({}, { by, measures: { customers: { countDistinct: 'customerId' } } } as never)
    },
    answer: (data) =>
      keysOf(data.orders.map(({ placedAt }) => berlin(placedAt).slice(0, 10))).map((day) => {
        const within = data.orders.filter(({ placedAt }) => berlin(placedAt).startsWith(day))
        return { day, customers: new Set(within.map(({ customer }) => customer.email)).size }
      })
  },
  {
    name: 'the tree of a category, and the path to one',
    ask: async ({ categories }) => {
      const idOf = async (slug: string) => (await categories.findOne({ slug }))?.id ?? ''
      const options = { order: [['slug', 'ASC']], depthAs: 'level' }
      const below = await categories.descendants(await idOf('home'), options as never)
      const path = await categories.ancestors(await idOf('garden-b-a'), { self: true })
      return [below.map(({ slug, level }) => `${level} ${slug}`), path.map(({ slug }) => slug)]
    },
    answer: () => [
      ['1 home-a', '1 home-b', '2 home-a-a', '2 home-a-b', '2 home-b-a', '2 home-b-b'],
      ['garden', 'garden-b', 'garden-b-a']
    ]
  },
  {
    name: 'products in a category or below, and variants below another one by colour',
    ask: async ({ products, variants }) => {
      const found = await products.find({ category: { $within: { slug: 'home-a' } } }, { order: [['slug', 'ASC']] })
      const groups = await variants.groupBy({ product: { category: { $within: { slug: 'garden' } } } }, {
        ...{ by: ['colour'], measures: { variants: { count: true } }, order: [['colour', 'ASC']] }
      } as never)
      return [found.map(({ slug }) => slug), groups]
    },
    answer: (data) => {
      const isWithin = ({ category }: { readonly category: { readonly slug: string } }, slug: string) =>
        category.slug === slug || category.slug.startsWith(`${slug}-`)
      const garden = data.variants.filter(({ product }) => isWithin(product, 'garden'))
      return [
        sorted(data.products.filter((product) => isWithin(product, 'home-a')).map(({ slug }) => slug)),
        keysOf(garden.map(({ colour }) => colour)).map((colour) => ({
          ...{ colour, variants: garden.filter((variant) => variant.colour === colour).length }
        }))
      ]
    }
  },
  {
    name: 'variants with less than five in all warehouses',
    ask: async ({ variants }) =>
      sorted((await variants.find({ stock: { $sum: { quantity: { $lt: 5 } } } })).map(({ sku }) => sku)),
    answer: (data) => sorted(data.variants.filter((variant) => stockOf(variant) < 5).map(({ sku }) => sku))
  },
  {
    name: 'orders whose payments are less than their total, by payments and by a field',
    ask: async ({ orders }) => {
      const summed = { payments: { $sum: { amount: { $field: { $lt: 'total' } } } } }
      const numbers = async (criteria: Readonly<Record<string, unknown>>) =>
        (await orders.find(criteria, byNumber)).map(({ number }) => number)
      return [await numbers(summed), await numbers({ paid: { $field: { $lt: 'total' } } })]
    },
    answer: (data) => {
      const owing = data.orders.filter(({ paid, total }) => paid < total).map(({ number }) => number)
      return [owing, owing]
    }
  },
  {
    name: 'products that need more than 50 watts, those that need most first',
    ask: async ({ products }) => {
      const order = [
        ['attributes.watts', 'DESC'],
        ['slug', 'ASC']
      ]
      const found = await products.find({ 'attributes.watts': { $gt: 50 }, 'attributes.energy.label': ['A', 'B'] }, {
        order
      } as never)
      return found.map(({ slug, attributes }) => [slug, attributes.watts])
    },
    answer: (data) =>
      data.products
        .filter(({ attributes }) => (attributes.watts ?? 0) > 50 && attributes.energy.label !== 'C')
        .map(({ slug, attributes }): [string, number] => [slug, attributes.watts ?? 0])
        .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
  },
  {
    name: 'a list of orders by the name of their customer, with the number of lines and what is paid by card',
    ask: async ({ orders }) => {
      const counts = { lines: true, cards: { relation: 'payments', where: { method: 'card' } } }
      const order = [
        ['customer.name', 'ASC'],
        ['number', 'ASC']
      ]
      const found = await orders.find({}, { order, counts, limit: 40, select: ['number', 'customer.name'] } as never)
      return (found as AnyRow[]).map(({ number, customer, counts }) => [
        number,
        customer.name,
        counts.lines,
        counts.cards
      ])
    },
    answer: (data) =>
      [...data.orders]
        .sort((a, b) => {
          if (a.customer.name === b.customer.name) return a.number - b.number
          return a.customer.name < b.customer.name ? -1 : 1
        })
        .slice(0, 40)
        .map(({ number, customer, lines, payments }) => {
          const cards = payments.filter(({ method }) => method === 'card').length
          return [number, customer.name, lines.length, cards]
        })
  },
  {
    name: 'each customer with the latest three orders',
    ask: async ({ customers }) => {
      const include = { orders: { order: [['placedAt', 'DESC']], limit: 3 } }
      const found = await customers.find({}, { include, order: [['email', 'ASC']] } as never)
      return found.map(({ email, orders }) => [email, (orders as AnyRow[]).map(({ number }) => number)])
    },
    answer: (data) =>
      sorted(data.customers.map(({ email }) => email)).map((email) => [
        email,
        latestOf(data, email).map(({ number }) => number)
      ])
  },
  {
    name: 'customers of whose latest three orders one is open',
    ask: async ({ customers }) => {
      const $latest = { order: [['placedAt', 'DESC']], limit: 3 }
      return sorted((await customers.find({ orders: { $latest, state: 'open' } } as never)).map(({ email }) => email))
    },
    answer: (data) =>
      sorted(
        data.customers
          .map(({ email }) => email)
          .filter((email) => latestOf(data, email).some(({ state }) => state === 'open'))
      )
  }
]
