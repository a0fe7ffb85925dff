/** Reading through an index gives what reading everything gives, in the same order, for whatever filter and sort. */
import { Int32, ObjectId, serialize } from 'bson'
import fc from 'fast-check'
import t from 'tap'
import { readIndexDefinition } from '../../src/indexes/index-definition.ts'
import { parseFilter } from '../../src/query/filter.ts'
import { parseSort } from '../../src/query/sort.ts'
import { Collection } from '../../src/storage/collection.ts'
import { noJournal } from '../../src/storage/journal.ts'
import { planReading, readCollection } from '../../src/storage/read-collection.ts'
import { Transactions } from '../../src/transactions/transactions.ts'
import { compareValues } from '../../src/values/compare-values.ts'
import { decodeDocument } from '../../src/values/decode.ts'
import type { Document } from '../../src/values/value.ts'

const document = (plain: object): Document => decodeDocument(Buffer.from(serialize(plain)))

function collectionWith(
  keys: readonly object[],
  documents: readonly object[],
  transactions = new Transactions()
): Collection {
  const parts = { id: 'i', database: 'd', name: 'c', options: new Map(), transactions, journal: noJournal }
  const collection = new Collection(parts)
  for (const [index, key] of keys.entries()) {
    collection.addIndex(readIndexDefinition(document({ name: `i${index}`, key })))
  }
  for (const plain of documents) collection.insert(document({ _id: new ObjectId(), ...plain }), null)
  return collection
}

const KEYS = [{ a: 1 }, { a: 1, b: -1 }, { b: -1 }, { 'c.d': 1 }]

const scalar = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 4 }), fc.constantFrom('x', 'y'), fc.boolean())
const value = fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) })
const scalarDocument = fc.record({ a: scalar, b: scalar }, { requiredKeys: [] })
// One field may hold an array: two would be refused by the compound index.
const anyDocument = fc.record(
  { a: value, b: scalar, c: fc.oneof(scalar, fc.array(fc.record({ d: value }))) },
  { requiredKeys: [] }
)
const condition = fc.oneof(
  value,
  fc.record({ $gt: scalar }),
  fc.record({ $gte: scalar, $lt: scalar }),
  fc.record({ $lte: scalar }),
  fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ $ne: scalar })
)
const filter = fc.record({ a: condition, b: condition, 'c.d': condition }, { requiredKeys: [] })
const sort = fc.constantFrom({}, { a: 1 }, { a: -1 }, { a: 1, b: -1 }, { a: -1, b: 1 }, { b: 1 }, { b: -1, a: 1 })

t.test('with and without indexes', async (t) => {
  const documents = fc.oneof(fc.array(scalarDocument, { maxLength: 25 }), fc.array(anyDocument, { maxLength: 25 }))
  fc.assert(
    fc.property(documents, filter, sort, (plains, plainFilter, plainSort) => {
      const reading = { filter: parseFilter(document(plainFilter)), sort: parseSort(document(plainSort)), reader: null }
      const collection = collectionWith(KEYS, plains)
      const found = readCollection(collection, reading).map((match) => match.document)
      const scan = { ...reading, hint: document({ $natural: 1 }) }
      const expected = readCollection(collection, scan).map((match) => match.document)
      const ids = (all: readonly Document[]) => all.map((one) => String(one.get('_id'))).sort()
      t.strictSame(ids(found), ids(expected), JSON.stringify(plainFilter))
      const keys = (all: readonly Document[]) => all.map((one) => reading.sort.map(({ path }) => one.get(path) ?? null))
      const scalars = plains.every(({ a }) => !Array.isArray(a))
      if (scalars) t.equal(compareValues(keys(found), keys(expected)), 0, 'the same order')
    }),
    { numRuns: 400 }
  )
})

const plans: readonly [filter: object, sort: object, index: string | null, sorted: boolean][] = [
  [{ a: 1 }, {}, 'i0', false],
  [{ a: 1, b: 2 }, {}, 'i1', false],
  [{ a: 1 }, { b: -1 }, 'i1', true],
  [{ a: 1 }, { b: 1 }, 'i1', true],
  [{ a: { $gt: 1 } }, { a: -1 }, 'i0', true],
  [{}, { a: 1, b: -1 }, 'i1', true],
  [{}, { a: 1, b: 1 }, null, false],
  [{ a: { $in: [1, 2] } }, { b: 1 }, 'i0', false],
  [{ a: { $ne: 1 } }, {}, null, false],
  [{ a: [1] }, {}, null, false],
  [{ a: { $exists: true } }, {}, null, false]
]

for (const [plainFilter, plainSort, index, sorted] of plans) {
  t.test(`plan of ${JSON.stringify(plainFilter)} by ${JSON.stringify(plainSort)}`, async (t) => {
    const reading = { filter: parseFilter(document(plainFilter)), sort: parseSort(document(plainSort)), reader: null }
    const plan = planReading(collectionWith(KEYS, [{ a: 1, b: 1 }]), reading)
    t.equal(plan?.index.definition.name ?? null, index)
    t.equal(plan?.sorted ?? false, sorted)
  })
}

t.test('a reader of an earlier snapshot finds records at their earlier keys', async (t) => {
  const transactions = new Transactions()
  const collection = collectionWith([{ a: 1 }], [{ a: 1 }, { a: 2 }, { a: 3 }], transactions)
  const reader = transactions.begin()
  const sortByA = { filter: parseFilter(document({ a: { $gte: 0 } })), sort: parseSort(document({ a: 1 })) }
  const [first] = readCollection(collection, { ...sortByA, reader: null })
  if (first === undefined) throw new Error('nothing was found')
  collection.replace(first.record, new Map([...first.document, ['a', new Int32(9)]]), null)
  const values = (of: typeof reader | null) =>
    readCollection(collection, { ...sortByA, reader: of }).map((match) => String(match.document.get('a')))
  t.strictSame(values(reader), ['1', '2', '3'])
  t.strictSame(values(null), ['2', '3', '9'])
  transactions.abort(reader)
})
