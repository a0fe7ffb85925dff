/** What goes into a store: fields, keys, text, JSON. */
import t from 'tap'
import { storablePatch, storableRecord } from '../../src/records/storable-record.ts'

const shape = {
  fields: ['id', 'name', 'tags', 'data'],
  optional: ['name'],
  patch: ['name'],
  keys: ['id'],
  json: ['data']
}
const record = { id: 'a', name: 'n', tags: ['x'], data: { deep: ['\0'] } }

t.test('a record is copied, its fields and no others', async (t) => {
  const given = { ...record, extra: 1 }
  const stored = storableRecord(given, shape)
  t.strictSame(stored, record)
  t.not(stored.tags, given.tags)
  const { name: _name, ...unnamed } = record
  t.strictSame(storableRecord(unnamed, shape), unnamed)
  t.strictSame(storablePatch({ name: 'm', id: 'b' }, shape), { name: 'm' })
})

const wrong: [change: object, said: RegExp][] = [
  [{ id: undefined }, /"id".*missing/],
  [{ id: 'a\0' }, /"id".*NUL/],
  [{ id: 'é'.repeat(1025) }, /"id".*2048 bytes/],
  [{ name: '\udc00' }, /"name".*lone surrogate/],
  [{ name: { $ne: '' } }, /"name".*object/],
  [{ tags: ['x', 'y\0'] }, /"tags".*NUL/],
  [{ tags: [{}] }, /"tags".*object/],
  [{ data: Number.NaN }, /"data".*finite/]
]

for (const [change, said] of wrong) {
  t.test(`refuses ${JSON.stringify(change)}`, async (t) => {
    t.throws(() => storableRecord({ ...record, ...change }, shape), { code: 'SVC_STORE_RECORD', message: said })
  })
}

t.test('an inherited field is no field', async (t) => {
  t.throws(() => storableRecord(Object.create(record), shape), { message: /missing/ })
})
