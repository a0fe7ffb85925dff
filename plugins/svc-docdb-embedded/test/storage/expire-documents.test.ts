/** TTL indexes: what has expired goes, what has not, has no date, or is being changed stays. */
import t from 'tap'
import { readIndexDefinition } from '../../src/indexes/index-definition.ts'
import { Catalog } from '../../src/storage/catalog.ts'
import { expireDocuments } from '../../src/storage/expire-documents.ts'
import { noJournal } from '../../src/storage/journal.ts'
import { documentOf } from '../support/documents.ts'

const NOW = new Date(100_000)
const documents = [
  { _id: 'old', at: new Date(39_000) },
  { _id: 'just', at: new Date(40_000) },
  { _id: 'young', at: new Date(40_001) },
  { _id: 'one of several', at: [new Date(99_000), new Date(1)] },
  { _id: 'number', at: 5 },
  { _id: 'text', at: 'x' },
  { _id: 'null', at: null },
  { _id: 'absent' }
]

for (const direction of [1, -1]) {
  t.test(`an index of direction ${direction}`, async (t) => {
    const catalog = new Catalog(noJournal)
    const collection = catalog.findOrCreate('d', 'c')
    collection.addIndex(
      readIndexDefinition(documentOf({ name: 'ttl', key: { at: direction }, expireAfterSeconds: 60 }))
    )
    for (const document of documents) collection.insert(documentOf(document), null)
    const held = documentOf({ _id: 'held', at: new Date(0) })
    const transaction = catalog.transactions.begin()
    collection.insert(held, transaction)
    t.equal(expireDocuments(catalog, NOW), 3)
    const ids = () =>
      [...collection.records.values()].map(({ latest }) => latest?.get('_id')).filter((id) => id !== undefined)
    t.strictSame(ids(), ['young', 'number', 'text', 'null', 'absent'])
    catalog.transactions.commit(transaction)
    t.equal(expireDocuments(catalog, NOW), 1, 'the transaction has ended')
    t.equal(expireDocuments(catalog, NOW), 0)
  })
}
