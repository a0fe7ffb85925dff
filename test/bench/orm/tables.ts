/** The tables that all sides share, made and filled by the repositories. */
import type { FastifyInstance } from 'fastify'
import { CompiledQuery } from 'kysely'
import { defineEntity } from 'svc-orm'
import type { ArticleRow, StockRow } from './side.ts'

/** What Kysely knows of them. */
export interface Tables {
  readonly article: ArticleRow
  readonly customer: { readonly id: string; readonly name: string; readonly city: string }
  readonly purchase: PurchaseRow
  readonly stock: StockRow
  readonly page: { readonly id: string; readonly title: string; readonly text: string }
  readonly category: { readonly id: string; readonly slug: string; readonly parentId: string | null }
  readonly enrolment: { readonly course: string; readonly student: string; readonly grade: number }
}

interface PurchaseRow {
  readonly id: string
  readonly placed: number
  readonly total: number
  readonly at: Date | number
  readonly customerId: string
}

export const Article = defineEntity({
  name: 'Article',
  schema: { title: { type: 'string' }, body: { type: 'text' }, stars: { type: 'integer' } },
  indexes: [{ fields: ['title'] }]
})
export const Customer = defineEntity({
  name: 'Customer',
  schema: { name: { type: 'string' }, city: { type: 'string' } },
  relations: { purchases: { type: 'one-to-many', target: 'Purchase', mappedBy: 'customer' } },
  indexes: [{ fields: ['city'] }]
})
export const Purchase = defineEntity({
  name: 'Purchase',
  schema: { placed: { type: 'integer' }, total: { type: 'integer' }, at: { type: 'date' } },
  relations: { customer: { type: 'many-to-one', target: 'Customer' } },
  indexes: [{ fields: ['placed'] }, { fields: ['customerId', 'placed'] }]
})
export const Stock = defineEntity({
  name: 'Stock',
  schema: { sku: { type: 'string', unique: true }, amount: { type: 'integer' } }
})
export const Page = defineEntity({
  name: 'Page',
  schema: { title: { type: 'string' }, text: { type: 'text' } },
  search: ['title', 'text']
})
export const Category = defineEntity({
  name: 'Category',
  schema: { slug: { type: 'string', unique: true } },
  relations: { parent: { type: 'many-to-one', target: 'Category', nullable: true, onDelete: 'none' } },
  tree: 'parent'
})
export const Enrolment = defineEntity({
  name: 'Enrolment',
  schema: { course: { type: 'string' }, student: { type: 'string' }, grade: { type: 'integer' } },
  key: ['course', 'student']
})

export const ENTITIES = [Article, Customer, Purchase, Stock, Page, Category, Enrolment]

export const ARTICLES = 10_000
export const CITIES = 50
/** Twenty of each city. */
const CUSTOMERS = 1000
/** Twenty of each customer. */
export const PURCHASES = 20_000
const PURCHASE_MS = 2_000_000
export const STOCKS = 5000
const PAGES = 5000
/** A page has word n if its number is a multiple of n + 1. */
const WORDS = 100
/** Of ten children each, and three levels. */
const CATEGORIES = 1111
export const COURSES = 100

/** With what `search` looks through by hand, which is filled as pages are written. */
const HAND_INDEX = {
  sqlite: [
    `create virtual table hand using fts5(title, text, content='page')`,
    `create trigger page_written after insert on page begin
      insert into hand (rowid, title, text) values (new.rowid, new.title, new.text); end`
  ],
  postgres: [`create index hand on page using gin ((to_tsvector('simple', title || ' ' || text)))`]
}

export interface Filled {
  readonly articles: readonly string[]
  /** Of those above others. */
  readonly categories: readonly string[]
  /** Article number `s0` and so on. */
  readonly stocks: readonly string[]
}

/** @returns ids */
export async function fillTables({ orm, sqlorm }: FastifyInstance, engine: 'sqlite' | 'postgres'): Promise<Filled> {
  const db = sqlorm.kysely()
  const run = (text: string) => db.executeQuery(CompiledQuery.raw(text))
  for (const text of HAND_INDEX[engine]) await run(text)
  const articles = await orm.repository(Article).createMany(
    numbered(ARTICLES, (n) => ({
      title: `title ${(n * 7919) % ARTICLES}`,
      body: 'a body of some length '.repeat(20),
      stars: n % 10
    }))
  )
  const customers = await orm
    .repository(Customer)
    .createMany(numbered(CUSTOMERS, (n) => ({ name: `c${(n * 7919) % CUSTOMERS}`, city: `t${n % CITIES}` })))
  await orm.repository(Purchase).createMany(
    numbered(PURCHASES, (n) => ({
      ...{ placed: (n * 7919) % PURCHASES, total: n % 100, at: new Date(Date.UTC(2024, 0, 1) + n * PURCHASE_MS) },
      customerId: customers[n % CUSTOMERS]?.id ?? ''
    }))
  )
  const stocks = await orm.repository(Stock).createMany(numbered(STOCKS, (n) => ({ sku: `s${n}`, amount: n })))
  await orm.repository(Page).createMany(numbered(PAGES, (n) => ({ title: `page ${n}`, text: wordsOf(n) })))
  const categories = numbered(CATEGORIES, (n) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`)
  await orm
    .repository(Category)
    .createMany(
      categories.map((id, n) => ({ id, slug: `s${n}`, parentId: categories[Math.floor((n - 1) / 10)] ?? null }))
    )
  await orm.repository(Enrolment).createMany(
    numbered(COURSES * COURSES, (n) => ({
      ...{ course: `c${n % COURSES}`, student: `s${Math.floor(n / COURSES)}`, grade: n % 6 }
    }))
  )
  await run(engine === 'sqlite' ? 'analyze' : 'vacuum analyze')
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  return { articles: idsOf(articles), categories: categories.slice(1, 11), stocks: idsOf(stocks) }
}

/** The amounts of some article numbers, in their order, whoever wrote them. */
export type Stocked = (skus: readonly string[]) => Promise<readonly unknown[]>

export function stockedIn({ orm }: FastifyInstance): Stocked {
  return async (skus) => {
    const rows = await orm.repository(Stock).find({ sku: { $in: skus } }, { order: [['sku', 'ASC']] })
    return rows.map(({ sku, amount }) => ({ sku, amount }))
  }
}

function wordsOf(page: number): string {
  return numbered(WORDS, (word) => word)
    .filter((word) => page % (word + 1) === 0)
    .map((word) => `word${word}`)
    .join(' ')
}

function numbered<T>(count: number, made: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => made(n))
}
