/** Totals so far, and groups by what orders refer to. */
import type { AnyRow } from 'svc-orm'
import { byNumber, keysOf, newestFirst, sum } from './computed.ts'
import type { Question } from './questions.ts'
import { money } from './shop-data.ts'

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
