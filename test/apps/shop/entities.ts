/** A shop: customers and their orders, products in a tree of categories, stock in warehouses, payments. */
import { defineEntity } from 'svc-orm'

export const Customer = defineEntity({
  name: 'Customer',
  schema: {
    email: { type: 'email', unique: true },
    name: { type: 'string' },
    country: { type: 'string', maxLength: 2 }
  },
  relations: { orders: { type: 'one-to-many', target: 'PurchaseOrder', mappedBy: 'customer' } },
  indexes: [{ fields: ['country'] }]
})

export const PurchaseOrder = defineEntity({
  name: 'PurchaseOrder',
  schema: {
    number: { type: 'integer', unique: true },
    state: { type: 'enum', values: ['open', 'paid', 'shipped', 'cancelled'] },
    total: { type: 'decimal', scale: 2 },
    paid: { type: 'decimal', scale: 2, default: '0.00' },
    placedAt: { type: 'date' }
  },
  relations: {
    customer: { type: 'many-to-one', target: 'Customer' },
    lines: { type: 'one-to-many', target: 'OrderLine', mappedBy: 'order' },
    payments: { type: 'one-to-many', target: 'Payment', mappedBy: 'order' }
  },
  indexes: [{ fields: ['placedAt'] }, { fields: ['state', 'placedAt'] }],
  version: true
})

export const OrderLine = defineEntity({
  name: 'OrderLine',
  schema: {
    quantity: { type: 'integer', check: { min: 1 } },
    price: { type: 'decimal', scale: 2 },
    amount: { type: 'decimal', scale: 2 }
  },
  relations: {
    order: { type: 'many-to-one', target: 'PurchaseOrder', onDelete: 'cascade' },
    variant: { type: 'many-to-one', target: 'Variant' }
  }
})

export const Variant = defineEntity({
  name: 'Variant',
  schema: {
    sku: { type: 'string', unique: true },
    price: { type: 'decimal', scale: 2, check: { min: 0 } },
    colour: { type: 'string' },
    sold: { type: 'integer', default: 0 },
    seen: { type: 'integer', default: 0 }
  },
  relations: {
    product: { type: 'many-to-one', target: 'Product', onDelete: 'cascade' },
    stock: { type: 'one-to-many', target: 'Stock', mappedBy: 'variant' }
  }
})

export const Product = defineEntity({
  name: 'Product',
  schema: {
    slug: { type: 'string', unique: 'present' },
    title: { type: 'string' },
    text: { type: 'text' },
    tags: { type: 'string', array: true },
    attributes: { type: 'json' },
    state: { type: 'enum', values: ['draft', 'sold', 'ended'] }
  },
  relations: {
    category: { type: 'many-to-one', target: 'Category' },
    variants: { type: 'one-to-many', target: 'Variant', mappedBy: 'product' }
  },
  search: [{ field: 'title', weight: 10 }, 'text'],
  softDelete: true
})

export const Category = defineEntity({
  name: 'Category',
  schema: { slug: { type: 'string', unique: true }, title: { type: 'string' } },
  relations: {
    parent: { type: 'many-to-one', target: 'Category', nullable: true },
    children: { type: 'one-to-many', target: 'Category', mappedBy: 'parent' },
    products: { type: 'one-to-many', target: 'Product', mappedBy: 'category' }
  },
  tree: 'parent'
})

export const Warehouse = defineEntity({
  name: 'Warehouse',
  schema: { code: { type: 'string', unique: true } },
  relations: { stock: { type: 'one-to-many', target: 'Stock', mappedBy: 'warehouse' } }
})

export const Stock = defineEntity({
  name: 'Stock',
  schema: { quantity: { type: 'integer', check: { min: 0 } } },
  relations: {
    variant: { type: 'many-to-one', target: 'Variant', onDelete: 'cascade' },
    warehouse: { type: 'many-to-one', target: 'Warehouse' }
  },
  indexes: [{ fields: ['variantId', 'warehouseId'], unique: true }],
  version: true
})

export const Payment = defineEntity({
  name: 'Payment',
  schema: {
    amount: { type: 'decimal', scale: 2 },
    method: { type: 'enum', values: ['card', 'transfer'] },
    reference: { type: 'string', unique: true },
    paidAt: { type: 'date' }
  },
  relations: { order: { type: 'many-to-one', target: 'PurchaseOrder' } }
})

/** What customers would like to have: a pair is on a list once. */
export const Wish = defineEntity({
  name: 'Wish',
  key: ['customerId', 'variantId'],
  schema: { wishedAt: { type: 'date' } },
  relations: {
    customer: { type: 'many-to-one', target: 'Customer', onDelete: 'cascade' },
    variant: { type: 'many-to-one', target: 'Variant', onDelete: 'cascade' }
  }
})

export const entities = [
  Customer,
  PurchaseOrder,
  OrderLine,
  Variant,
  Product,
  Category,
  Warehouse,
  Stock,
  Payment,
  Wish
] as const
