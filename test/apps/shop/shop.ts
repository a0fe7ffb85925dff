/** The shop as an application has it: a repository per entity, filled with the data. */
import type { FastifyInstance } from 'fastify'
import type { AnyRow, Repository } from 'svc-orm'
import { money, type ShopData } from './shop-data.ts'

export interface Shop {
  readonly fastify: FastifyInstance
  readonly customers: Repository
  readonly orders: Repository
  readonly lines: Repository
  readonly variants: Repository
  readonly products: Repository
  readonly categories: Repository
  readonly warehouses: Repository
  readonly stock: Repository
  readonly payments: Repository
  readonly wishes: Repository
}

export function shopOf(fastify: FastifyInstance): Shop {
  const of = (entity: string) => fastify.orm.repository<AnyRow>(entity)
  return {
    fastify,
    ...{ customers: of('Customer'), orders: of('PurchaseOrder'), lines: of('OrderLine'), variants: of('Variant') },
    ...{ products: of('Product'), categories: of('Category'), warehouses: of('Warehouse'), stock: of('Stock') },
    ...{ payments: of('Payment'), wishes: of('Wish') }
  }
}

/** Every row of the data, owners first. */
export async function fill(shop: Shop, data: ShopData): Promise<void> {
  const ids = new Map<object | string, string>()
  const idOf = (of: object | string) => ids.get(of) as string
  const add = async <T extends object | string>(to: Repository, all: readonly T[], row: (each: T) => object) => {
    const made = await to.createMany(all.map(row) as AnyRow[])
    for (const [index, each] of all.entries()) ids.set(each, (made[index] as AnyRow).id)
  }
  await add(shop.customers, data.customers, (customer) => ({ ...customer }))
  for (const category of data.categories) {
    const parentId = category.parent === null ? null : idOf(category.parent)
    ids.set(category, (await shop.categories.create({ slug: category.slug, title: category.slug, parentId })).id)
  }
  await add(shop.products, data.products, ({ category, ...product }) => ({ ...product, categoryId: idOf(category) }))
  await add(shop.warehouses, data.warehouses, (code) => ({ code }))
  await add(shop.variants, data.variants, ({ sku, colour, price, product }) => ({
    ...{ sku, colour, price: money(price) },
    productId: idOf(product)
  }))
  const stock = data.variants.flatMap((variant) =>
    Object.entries(variant.stock).map(([code, quantity]) => ({ variant, code, quantity }))
  )
  await add(shop.stock, stock, ({ variant, code, quantity }) => ({
    ...{ quantity, variantId: idOf(variant) },
    warehouseId: idOf(code)
  }))
  await add(shop.orders, data.orders, ({ number, state, total, paid, placedAt, customer }) => ({
    ...{ number, state, total: money(total), paid: money(paid) },
    placedAt: new Date(placedAt),
    customerId: idOf(customer)
  }))
  const lines = data.orders.flatMap((order) => order.lines.map((line) => ({ order, line })))
  await add(shop.lines, lines, ({ order, line: { variant, quantity, price, amount } }) => ({
    ...{ quantity, price: money(price), amount: money(amount) },
    orderId: idOf(order),
    variantId: idOf(variant)
  }))
  const payments = data.orders.flatMap((order) => order.payments.map((payment) => ({ order, payment })))
  await add(shop.payments, payments, ({ order, payment: { amount, method, reference, paidAt } }) => ({
    ...{ amount: money(amount), method, reference },
    paidAt: new Date(paidAt),
    orderId: idOf(order)
  }))
}
