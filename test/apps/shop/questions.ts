/** What is asked of the shop: each question as a repository has it, and its answer worked out from the plain data. */
import type { AnyRow } from 'svc-orm'
import { newestFirst, sorted, sum } from './computed.ts'
import type { Shop } from './shop.ts'
import { type CustomerData, money, type ProductData, type ShopData } from './shop-data.ts'

export interface Question {
  readonly name: string
  ask(shop: Shop, data: ShopData): Promise<unknown>
  answer(data: ShopData): unknown
}

const LATEST = [['placedAt', 'DESC']] as const

const ordersOf = (data: ShopData, customer: CustomerData) => data.orders.filter((order) => order.customer === customer)
const busiest = (data: ShopData) =>
  [...data.customers].sort((a, b) => ordersOf(data, b).length - ordersOf(data, a).length)[0] as CustomerData
const numbers = (orders: readonly { readonly number: unknown }[]) => orders.map(({ number }) => number)
const slugs = (products: readonly (AnyRow | ProductData)[]) => products.map(({ slug }) => String(slug))
const wordsOf = ({ title, text }: ProductData) => `${title} ${text}`.toLowerCase().split(' ')

export const FINDS: readonly Question[] = [
  {
    name: 'the latest orders of a customer',
    ask: async ({ orders }, data) =>
      numbers((await orders.find({ 'customer.email': busiest(data).email }, { order: LATEST, limit: 20 })) as never),
    answer: (data) => numbers(newestFirst(ordersOf(data, busiest(data))).slice(0, 20))
  },
  {
    name: 'orders with customer, lines, variant and product',
    ask: async ({ orders }) => {
      const include = { customer: true, lines: { include: { variant: { include: { product: true } } } } }
      const found = await orders.find({}, { order: LATEST, limit: 20, include } as never)
      return found.map(({ number, customer, lines }) => [
        number,
        customer.email,
        sorted((lines as AnyRow[]).map(({ variant, amount }) => `${variant.product.slug} ${amount}`))
      ])
    },
    answer: (data) =>
      newestFirst(data.orders)
        .slice(0, 20)
        .map(({ number, customer, lines }) => [
          number,
          customer.email,
          sorted(lines.map(({ variant, amount }) => `${variant.product.slug} ${money(amount)}`))
        ])
  },
  {
    name: 'words in titles and texts',
    ask: async ({ products }) => [
      sorted(slugs(await products.find({ $search: 'Oak, lamp!' }))),
      await products.count({ $search: 'tra*' })
    ],
    answer: ({ products }) => [
      sorted(slugs(products.filter((each) => wordsOf(each).includes('oak') && wordsOf(each).includes('lamp')))),
      products.filter((each) => wordsOf(each).some((word) => word.startsWith('tra'))).length
    ]
  },
  {
    name: 'the same by rank: those with the word in the title come first',
    ask: async ({ products }) => {
      const found = await products.find({ $search: 'oak' }, { order: [['$rank', 'DESC']] })
      return found.map(({ title }) => title.split(' ').includes('oak'))
    },
    answer: ({ products }) => {
      const having = products.filter((each) => wordsOf(each).includes('oak'))
      return having.map(({ title }) => title.split(' ').includes('oak')).sort((a, b) => Number(b) - Number(a))
    }
  },
  {
    name: 'orders of customers of a country',
    ask: ({ orders }) => orders.count({ customer: { country: 'FR' } }),
    answer: (data) => data.orders.filter(({ customer }) => customer.country === 'FR').length
  },
  {
    name: 'orders that hold a product',
    ask: async ({ orders }, data) => {
      const slug = data.products[0]?.slug
      const found = await orders.find({ lines: { 'variant.product': { slug } } }, { order: [['number', 'ASC']] })
      return numbers(found as never)
    },
    answer: (data) =>
      numbers(data.orders.filter(({ lines }) => lines.some(({ variant }) => variant.product === data.products[0])))
  },
  {
    name: 'every page of orders, and the rows of a stream, by the time they were placed',
    ask: async ({ orders }) => {
      const pages: unknown[] = []
      for (let after: string | undefined; ; ) {
        const page = await orders.page({}, { order: LATEST, limit: 7, after } as never)
        pages.push(...numbers(page.items as never))
        if (page.next === null) break
        after = page.next
      }
      const streamed: unknown[] = []
      for await (const { number } of orders.stream({}, { order: LATEST } as never)) streamed.push(number)
      return { pages, streamed }
    },
    answer: (data) => ({ pages: numbers(newestFirst(data.orders)), streamed: numbers(newestFirst(data.orders)) })
  },
  {
    name: 'paid orders by two keys of different direction',
    ask: async ({ orders }) => {
      const order = [
        ['state', 'ASC'],
        ['placedAt', 'DESC']
      ]
      return numbers((await orders.find({ state: ['paid', 'open'] }, { order, limit: 30 } as never)) as never)
    },
    answer: (data) => {
      const [open, paid] = ['open', 'paid'].map((state) =>
        newestFirst(data.orders.filter((each) => each.state === state))
      )
      return numbers([...(open ?? []), ...(paid ?? [])].slice(0, 30))
    }
  },
  {
    name: 'customers without orders',
    ask: async ({ customers }) =>
      sorted((await customers.find({ orders: { $exists: false } })).map(({ email }) => email)),
    answer: (data) =>
      sorted(data.customers.filter((customer) => ordersOf(data, customer).length === 0).map(({ email }) => email))
  },
  {
    name: 'products none of whose variants is in stock',
    ask: async ({ products }) => {
      const criteria = { variants: { stock: { quantity: { $gt: 0 } }, $exists: false } }
      return sorted((await products.find(criteria)).map(({ slug }) => slug))
    },
    answer: (data) => {
      const isInStock = (slug: string) =>
        data.variants.some(
          ({ product, stock }) => product.slug === slug && Object.values(stock).some((each) => each > 0)
        )
      return sorted(data.products.map(({ slug }) => slug).filter((slug) => !isInStock(slug)))
    }
  },
  {
    name: 'orders by state, and one of two indexed fields',
    ask: async ({ orders, variants }, data) => ({
      states: await orders.groupBy({}, { by: ['state'], measures: { orders: { count: true } } } as never),
      either: await orders.count({ $or: [{ number: 1003 }, { placedAt: new Date(data.orders[9]?.placedAt ?? 0) }] }),
      many: await variants.count({
        sku: Array.from({ length: 5000 }, (_, index) => `sku-${index % 20}-${Math.floor(index / 20)}`)
      })
    }),
    answer: (data) => {
      const states = sorted([...new Set(data.orders.map(({ state }) => state))])
      return {
        states: states.map((state) => ({ state, orders: data.orders.filter((each) => each.state === state).length })),
        either: data.orders.filter(({ number }, place) => number === 1003 || place === 9).length,
        many: data.variants.filter(({ sku }) => Number(sku.split('-')[1]) < 20).length
      }
    }
  },
  {
    name: 'the ten customers who spent most',
    ask: async ({ orders }) => {
      const options = {
        by: ['customerId'],
        measures: { spent: { sum: 'total' } },
        order: [['spent', 'DESC']],
        limit: 10
      }
      return ((await orders.groupBy({}, options as never)) as AnyRow[]).map(({ spent }) => spent)
    },
    answer: (data) => {
      const spent = data.customers.map((customer) => sum(ordersOf(data, customer).map(({ total }) => total)))
      return spent
        .filter((total) => total > 0)
        .sort((a, b) => b - a)
        .slice(0, 10)
        .map(money)
    }
  }
]
