/** What every listing keeps to: stable pages, the brick's sort fields, filters of the right type, copies. */
import assert from 'node:assert/strict'
import type { Page, PageQuery } from '../paging/page.ts'
import { compareHeld } from '../table/compare-held.ts'
import { type CaseContext, type ConformanceCase, refused } from './conformance-suite.ts'

export interface Listing<Store> {
  readonly sortable: readonly string[]
  /** The fields a listing never shows. */
  readonly hidden: readonly string[]
  /** Stores record number `index`; all records differ in every sortable field but the times. */
  seed(store: Store, index: number): Promise<unknown>
  list(store: Store, filter: object, page: PageQuery): Promise<Page<object>>
  count(store: Store, filter: object): Promise<number>
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string }

const RECORDS = 10

export function listingCases<Store>(listing: Listing<Store>): ConformanceCase<Store>[] {
  const seeded = async ({ store, clock }: CaseContext<Store>) => {
    // Three records in each millisecond, so that times tie.
    for (let index = 0; index < RECORDS; index += 1) {
      if (index % 3 === 0) clock.advance(1)
      await listing.seed(store, index)
    }
  }
  const rows = async (store: Store, page: PageQuery) => (await listing.list(store, {}, page)).items as Row[]

  return Object.entries<ConformanceCase<Store>[1]>({
    'pages hold every record once, ties in order of id': async (context) => {
      await seeded(context)
      for (const direction of ['ASC', 'DESC'] as const) {
        const order = [['createdAt', direction]] as const
        const seen: Row[] = []
        for (let offset = 0; offset < RECORDS; offset += 4) {
          const page = await listing.list(context.store, {}, { limit: 4, offset, order })
          assert.deepEqual([page.limit, page.offset, page.hasNext], [4, offset, offset + 4 < RECORDS])
          seen.push(...(page.items as Row[]))
        }
        assert.deepEqual(seen, await rows(context.store, { limit: 100, order }))
        assert.equal(new Set(seen.map(({ id }) => id)).size, RECORDS)
        assertOrder(seen, 'createdAt', direction)
      }
      assert.equal(await listing.count(context.store, {}), RECORDS)
    },
    'the last page has no next, and behind the end there is an empty page': async (context) => {
      await seeded(context)
      const last = await listing.list(context.store, {}, { limit: RECORDS })
      assert.deepEqual([last.items.length, last.hasNext], [RECORDS, false])
      const behind = await listing.list(context.store, {}, { limit: 5, offset: 1000 })
      assert.deepEqual(behind, { items: [], limit: 5, offset: 1000, hasNext: false })
    },
    'sorts by each of its fields, in both directions': async (context) => {
      await seeded(context)
      for (const field of listing.sortable) {
        for (const direction of ['ASC', 'DESC'] as const) {
          const sorted = await rows(context.store, { order: [[field, direction]] })
          assert.equal(sorted.length, RECORDS)
          assertOrder(sorted, field, direction)
        }
      }
    },
    'refuses other sort fields and names its own': async ({ store }) => {
      for (const field of ['nothing', '__proto__', 'constructor', 'metadata', 'secretEnc', 'id; --', '']) {
        const call = () => listing.list(store, {}, { order: [[field, 'ASC']] })
        await refused(call, 'SVC_STORE_SORT', new RegExp(listing.sortable.join(', ')))
      }
    },
    'refuses malformed pages': async ({ store }) => {
      const malformed: unknown[] = [
        ...[0, -1, 1.5, Number.NaN, 1001, '10', null].map((limit) => ({ limit })),
        ...[-1, 0.5, Number.POSITIVE_INFINITY, '0'].map((offset) => ({ offset })),
        ...['asc', 'ASC; --', 1, undefined].map((direction) => ({ order: [['id', direction]] })),
        { order: 'id' },
        {
          order: [
            ['id', 'ASC'],
            ['id', 'DESC']
          ]
        }
      ]
      for (const page of malformed) await refused(() => listing.list(store, {}, page as PageQuery), 'SVC_STORE_PAGE')
    },
    'refuses unknown filters, and values that would widen the query': async ({ store }) => {
      const filters = [{ nothing: 'x' }, { q: undefined }, { q: { $gt: '' } }, { q: null }, { q: ['a'] }, { q: 1 }]
      for (const filter of listing.hidden.includes('content') ? filters.slice(0, 1) : filters) {
        await refused(() => listing.list(store, filter, {}), 'SVC_STORE_FILTER')
        await refused(() => listing.count(store, filter), 'SVC_STORE_FILTER')
      }
    },
    'hands out copies, without what a listing hides': async (context) => {
      await seeded(context)
      const [first] = await rows(context.store, { limit: 1 })
      for (const field of listing.hidden) assert.equal(Object.hasOwn(first as object, field), false, field)
      const before = structuredClone(first)
      spoil(first as object)
      assert.deepEqual((await rows(context.store, { limit: 1 }))[0], before)
    }
  })
}

/** Changes everything in a record that was handed out. */
export function spoil(record: object): void {
  for (const [key, value] of Object.entries(record)) {
    if (Array.isArray(value)) value.push('spoiled')
    else if (typeof value === 'object' && value !== null) (value as Record<string, unknown>).spoiled = true
    ;(record as Record<string, unknown>)[key] = 'spoiled'
  }
}

function assertOrder(rows: readonly Row[], field: string, direction: 'ASC' | 'DESC'): void {
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1]
    if (next === undefined) return
    const compared = compareHeld(row[field], next[field])
    const ordered = direction === 'ASC' ? compared <= 0 : compared >= 0
    assert.ok(ordered, `${String(row[field])} before ${String(next[field])} (${field} ${direction})`)
    if (compared === 0) assert.ok(compareHeld(row.id, next.id) < 0, 'ties are in order of id')
  }
}
