/** Changes that are computed by the database, and of many rows. */
import type { AnyRow } from 'svc-orm'
import { sorted } from './computed.ts'
import type { Question } from './questions.ts'
import { money, type ShopData } from './shop-data.ts'

/** These have ordered nothing. */
const emailsOfTheLast = ({ customers }: ShopData) => sorted(customers.slice(-2).map(({ email }) => email))
const wishedSkus = ({ variants }: ShopData) => sorted(variants.map(({ sku }) => sku)).slice(0, 2)

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
    name: 'a wish list holds a variant once, and goes with its customer',
    ask: async ({ customers, variants, wishes }, data) => {
      const [ann, ben] = await customers.find({ email: emailsOfTheLast(data) }, { order: [['email', 'ASC']] })
      const [first, second] = await variants.find({ sku: wishedSkus(data) }, { order: [['sku', 'ASC']] })
      const wish = (customer: AnyRow | undefined, variant: AnyRow | undefined, wishedAt: number) => ({
        ...{ customerId: customer?.id, variantId: variant?.id },
        wishedAt: new Date(wishedAt)
      })
      const list = [wish(ann, first, 1), wish(ann, second, 2), wish(ben, first, 3)]
      const options = { on: ['customerId', 'variantId'], update: true } as const
      await wishes.upsertMany(list as never, options as never)
      await wishes.upsertMany([wish(ann, first, 4)] as never, options as never)
      const refused = await wishes.create(wish(ben, first, 5) as never).catch(({ code }) => code)
      const held = await wishes.find({ 'customer.email': ann?.email }, {
        order: [['wishedAt', 'DESC']],
        include: { variant: true }
      } as never)
      const wanted = await wishes.groupBy({}, { by: ['variantId'], measures: { wishes: { count: true } } } as never)
      await customers.deleteOne({ id: ann?.id })
      const left = await wishes.find({})
      return [
        refused,
        held.map(({ variant, wishedAt }) => [variant.sku, wishedAt.getTime()]),
        wanted.map((each) => (each as unknown as { wishes: number }).wishes).sort(),
        left.map(({ customerId, variantId }) => [customerId === ben?.id, variantId === first?.id])
      ]
    },
    answer: (data) => {
      const [first, second] = wishedSkus(data)
      const held = [
        [first, 4],
        [second, 2]
      ]
      return ['SVC_ORM_UNIQUE', held, [1, 2], [[true, true]]]
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
