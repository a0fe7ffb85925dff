/**
 * What the shop holds, as plain data that looks random and is the same in every run. Answers are worked out from it, so
 * amounts are whole cents here, and times are epoch milliseconds.
 */
import { SeededRandom } from '../../support/seeded-random.ts'

export interface CustomerData {
  readonly email: string
  readonly name: string
  readonly country: string
}

export interface OrderData {
  readonly number: number
  readonly customer: CustomerData
  readonly state: 'open' | 'paid' | 'shipped' | 'cancelled'
  readonly placedAt: number
  readonly lines: readonly LineData[]
  readonly payments: readonly PaymentData[]
  readonly total: number
  readonly paid: number
}

export interface LineData {
  readonly variant: VariantData
  readonly quantity: number
  readonly price: number
  readonly amount: number
}

export interface PaymentData {
  readonly amount: number
  readonly method: 'card' | 'transfer'
  readonly reference: string
  readonly paidAt: number
}

export interface CategoryData {
  readonly slug: string
  readonly parent: CategoryData | null
}

export interface ProductData {
  readonly slug: string
  readonly title: string
  readonly text: string
  readonly tags: readonly string[]
  readonly attributes: { readonly watts: number | null; readonly energy: { readonly label: string } }
  readonly state: 'draft' | 'sold' | 'ended'
  readonly category: CategoryData
}

export interface VariantData {
  readonly sku: string
  readonly product: ProductData
  readonly price: number
  readonly colour: string
  /** By the code of a warehouse. */
  readonly stock: Readonly<Record<string, number>>
}

export interface ShopData {
  readonly customers: readonly CustomerData[]
  readonly categories: readonly CategoryData[]
  readonly products: readonly ProductData[]
  readonly variants: readonly VariantData[]
  readonly warehouses: readonly string[]
  readonly orders: readonly OrderData[]
}

export const SIZES = { customers: 40, products: 30, orders: 160 } as const

const HOUR = 3_600_000
/** Through the nights in which the clocks of Berlin change. */
const FIRST = Date.UTC(2026, 2, 20)
const WORDS = ['lamp', 'kettle', 'drill', 'quiet', 'bright', 'steel', 'oak', 'travel'] as const

/** @param factor times the usual numbers */
export function shopData(factor = 1, seed = 20_261_127): ShopData {
  const random = new SeededRandom(seed)
  const upTo = (count: number) => Array.from({ length: Math.round(count * factor) }, (_, index) => index)
  const customers = upTo(SIZES.customers).map((index) => ({
    email: `customer${index}@shop.example`,
    name: `${random.pick(['Ada', 'Ben', 'Cleo', 'Dan'])} ${String(index).padStart(5, '0')}`,
    country: random.pick(['DE', 'FR', 'US'])
  }))
  const categories = categoryTree()
  const products = upTo(SIZES.products).map((index): ProductData => {
    const words = [random.pick(WORDS), random.pick(WORDS)]
    return {
      slug: `product-${index}`,
      title: words.join(' '),
      text: `A ${random.pick(WORDS)} for the ${random.pick(WORDS)} of ${index}`,
      tags: WORDS.filter(() => random.below(4) === 0),
      attributes: {
        watts: random.below(5) === 0 ? null : random.below(120),
        energy: { label: random.pick(['A', 'B', 'C']) }
      },
      state: random.pick(['draft', 'sold', 'sold', 'ended']),
      category: random.pick(categories as [CategoryData, ...CategoryData[]])
    }
  })
  const warehouses = ['north', 'south', 'west']
  const variants = products.flatMap((product, place) =>
    Array.from(
      { length: 1 + random.below(3) },
      (_, index): VariantData => ({
        sku: `sku-${place}-${index}`,
        product,
        price: 100 + random.below(20_000),
        colour: random.pick(['red', 'green', 'black']),
        stock: Object.fromEntries(
          warehouses.filter(() => random.below(3) > 0).map((code) => [code, random.below(6)] as const)
        )
      })
    )
  )
  let reference = 0
  const orders = upTo(SIZES.orders).map((index): OrderData => {
    const placedAt = FIRST + random.below(90 * 24) * HOUR + index
    const lines = Array.from({ length: 1 + random.below(4) }, (): LineData => {
      const variant = random.pick(variants as unknown as [VariantData, ...VariantData[]])
      const quantity = 1 + random.below(3)
      return { variant, quantity, price: variant.price, amount: variant.price * quantity }
    })
    const total = lines.reduce((sum, { amount }) => sum + amount, 0)
    const parts = random.below(4)
    const payments = Array.from({ length: parts }, (_, part): PaymentData => {
      reference += 1
      const amount =
        part === parts - 1 && random.below(3) > 0 ? total - Math.floor(total / parts) * part : Math.floor(total / parts)
      return {
        amount,
        method: random.pick(['card', 'transfer']),
        reference: `pay-${reference}`,
        paidAt: placedAt + (part + 1) * HOUR
      }
    })
    return {
      number: 1000 + index,
      // Some customers never order.
      customer: customers[random.below(Math.ceil(customers.length * 0.8))] as CustomerData,
      state: random.pick(['open', 'paid', 'shipped', 'cancelled']),
      placedAt,
      lines,
      payments,
      total,
      paid: payments.reduce((sum, { amount }) => sum + amount, 0)
    }
  })
  return { customers, categories, products, variants, warehouses, orders }
}

function categoryTree(): readonly CategoryData[] {
  const made: CategoryData[] = []
  const grow = (slug: string, parent: CategoryData | null, depth: number): void => {
    const category = { slug, parent }
    made.push(category)
    if (depth < 3) for (const part of ['a', 'b']) grow(`${slug}-${part}`, category, depth + 1)
  }
  grow('home', null, 1)
  grow('garden', null, 1)
  return made
}

/** Cents as the shop has them: `12.30`. */
export function money(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}
