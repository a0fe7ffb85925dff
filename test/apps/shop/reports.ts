/** Questions that need more than equal values: sums of related rows, months, JSON, the first rows of each; and changes. */
import type { AnyRow } from 'svc-orm'
import type { Question } from './questions.ts'
import { money, type OrderData, type ShopData, type VariantData } from './shop-data.ts'

const HOUR = 3_600_000
/** When the clocks of Berlin went forward, within the data. */
const SUMMER = Date.UTC(2026, 2, 29, 1)

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const sorted = <T>(values: readonly T[]) => [...values].sort((a, b) => (a < b ? -1 : 1))
const berlin = (time: number) => new Date(time + (time < SUMMER ? 1 : 2) * HOUR).toISOString()
const keysOf = (values: readonly string[]) => sorted([...new Set(values)])
const newestFirst = (orders: readonly OrderData[]) => [...orders].sort((a, b) => b.placedAt - a.placedAt)
const stockOf = ({ stock }: VariantData) => sum(Object.values(stock))
const byNumber = { order: [['number', 'ASC']] } as const

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

/** Totals so far, and groups by what orders refer to. */
export const TOTALS: readonly Question[] = [
  {
    name: 'the payments of each order in time, with what is paid by then',
    ask: async ({ orders }) => {
      const payments = { order: [['paidAt', 'ASC']], running: { soFar: { sum: 'amount' } } }
      const found: AnyRow[] = await orders.find({ state: 'paid' }, { ...byNumber, include: { payments } } as never)
      const paid = (rows: readonly AnyRow[]) => rows.map(({ reference, running }) => [reference, running.soFar])
      return found.map((order) => [order.number, paid(order.payments)])
    },
    answer: (data) =>
      [...data.orders]
        .filter(({ state }) => state === 'paid')
        .sort((a, b) => a.number - b.number)
        .map(({ number, payments }) => {
          const inTime = [...payments].sort((a, b) => a.paidAt - b.paidAt)
          const soFar = (place: number) => money(sum(inTime.slice(0, place + 1).map(({ amount }) => amount)))
          return [number, inTime.map(({ reference }, place) => [reference, soFar(place)])]
        })
  },
  {
    name: 'a page of orders, the newest first, with the revenue up to each',
    ask: async ({ orders }) => {
      const running = { revenue: { sum: 'total', from: 'last' } } as const
      const page = await orders.page({}, { order: [['placedAt', 'DESC']], running, limit: 7 })
      return page.items.map(({ number, running: { revenue } }) => [number, revenue])
    },
    answer: (data) => {
      const sortedOrders = newestFirst(data.orders)
      const until = (place: number) => money(sum(sortedOrders.slice(place).map(({ total }) => total)))
      return sortedOrders.slice(0, 7).map(({ number }, place) => [number, until(place)])
    }
  },
  {
    name: 'revenue by the country of the customer, the best first',
    ask: ({ orders }) => {
      const measures = { revenue: { sum: 'total' }, orders: { count: true } }
      const having = { orders: { $gte: 2 } }
      return orders.groupBy({}, { by: ['customer.country'], measures, having, order: [['revenue', 'DESC']] } as never)
    },
    answer: (data) =>
      keysOf(data.customers.map(({ country }) => country))
        .map((country) => ({ country, within: data.orders.filter(({ customer }) => customer.country === country) }))
        .filter(({ within }) => within.length >= 2)
        .map(({ country, within }) => ({
          country,
          orders: within.length,
          cents: sum(within.map(({ total }) => total))
        }))
        .sort((a, b) => b.cents - a.cents)
        .map(({ country, orders, cents }) => ({ 'customer.country': country, revenue: money(cents), orders }))
  },
  {
    name: 'lines sold by the category of the product',
    ask: async ({ lines }) => {
      const by = ['variant.product.category.slug']
      const groups = await lines.groupBy({}, { by, measures: { sold: { sum: 'quantity' } } } as never)
      return groups as unknown
    },
    answer: (data) => {
      const lines = data.orders.flatMap((order) => order.lines)
      return keysOf(lines.map(({ variant }) => variant.product.category.slug)).map((slug) => {
        const within = lines.filter(({ variant }) => variant.product.category.slug === slug)
        return { 'variant.product.category.slug': slug, sold: sum(within.map(({ quantity }) => quantity)) }
      })
    }
  }
]

/** Asked in this order: each changes what the next one finds. */
export const CHANGES: readonly Question[] = [
  {
    name: 'prices of a category plus ten percent, and two counters at once',
    ask: async ({ variants }, data) => {
      const { slug } = data.categories[1] as ShopData['categories'][number]
      const changed = await variants.updateMany({ 'product.category': { slug } }, {
        price: { $mul: '1.1' },
        sold: { $add: 2 },
        seen: { $add: 5 }
      } as never)
      const rows = await variants.find({ 'product.category': { slug } }, { order: [['sku', 'ASC']] })
      return [changed, rows.map(({ sku, price, sold, seen }) => [sku, price, sold, seen])]
    },
    answer: (data) => {
      const within = data.variants.filter(({ product }) => product.category === data.categories[1])
      const rows = sorted(within.map(({ sku }) => sku)).map((sku) => {
        const price = within.find((variant) => variant.sku === sku)?.price ?? 0
        // Half a cent and more is a cent.
        return [sku, money(Math.floor((price * 11 + 5) / 10)), 2, 5]
      })
      return [within.length, rows]
    }
  },
  {
    name: 'stock that arrives: a row for it is made, or counted up',
    ask: async ({ stock, variants, warehouses }, data) => {
      const [sku, code] = [data.variants[0]?.sku, 'west']
      const [variant, warehouse] = [await variants.findOne({ sku }), await warehouses.findOne({ code })]
      const key = { variantId: variant?.id, warehouseId: warehouse?.id }
      const update = { quantity: { $add: 7 } }
      const after = await stock.upsert(key as never, { quantity: 7 }, { update } as never)
      return [after.quantity, (await stock.upsert(key as never, { quantity: 7 }, { update } as never)).quantity]
    },
    answer: (data) => {
      const before = data.variants[0]?.stock.west ?? 0
      return [before + 7, before + 14]
    }
  },
  {
    name: 'a deleted product leaves its slug to another one',
    ask: async ({ products }, data) => {
      const [first] = data.products
      const row = await products.findOne({ slug: first?.slug })
      const twin = { ...first, categoryId: row?.categoryId, category: undefined }
      const refused = await products.create(twin as never).catch(({ code }) => code)
      await products.deleteOne({ slug: first?.slug })
      const created = await products.create(twin as never)
      return [refused, created.slug, await products.withDeleted().count({ slug: first?.slug })]
    },
    answer: (data) => ['SVC_ORM_UNIQUE', data.products[0]?.slug, 2]
  },
  {
    name: 'a price list: each variant takes its own price, and new ones are made',
    ask: async ({ variants }, data) => {
      const known = await variants.find({}, { order: [['sku', 'ASC']], limit: 5 })
      const priced = await variants.updateEach(known.map(({ id }, place) => ({ id, price: `${place + 1}.25` })))
      const productId = known[0]?.productId
      const made = { sku: 'zz-new', colour: 'red', price: '7.00', productId }
      const listed = known.map(({ sku }) => ({ sku, colour: 'blue', price: '3.50', productId }))
      const after = await variants.upsertMany([made, ...listed] as never, { on: ['sku'], update: true } as never)
      const refused = await variants
        .updateEach(known.map(({ id }, place) => ({ id, price: place === 3 ? '-1.00' : '9.00' })))
        .catch(({ code, problems }) => [code, problems.map(({ index }: { index: number }) => index)])
      const held = await variants.find({ sku: after.map(({ sku }) => sku) }, { order: [['sku', 'ASC']] })
      return [
        priced.map(({ price }) => price),
        held.map(({ sku, price }) => [sku, price]),
        refused,
        data.variants.length
      ]
    },
    answer: (data) => {
      const skus = sorted(data.variants.map(({ sku }) => sku)).slice(0, 5)
      const held = [...skus.map((sku) => [sku, '3.50']), ['zz-new', '7.00']]
      return [['1.25', '2.25', '3.25', '4.25', '5.25'], held, ['SVC_ORM_ROWS', [3]], data.variants.length]
    }
  },
  {
    name: 'more is taken from stock than is there: nothing is changed',
    ask: async ({ stock }) => {
      const refused = await stock.updateMany({}, { quantity: { $sub: 6 } } as never).catch(({ code }) => code)
      return [refused, await stock.count({ quantity: { $lt: 0 } })]
    },
    answer: () => ['SVC_ORM_VALUE', 0]
  }
]
