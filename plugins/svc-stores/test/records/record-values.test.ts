/** What goes into a store: fields, keys, text, JSON; copies of plain data, and what is no data. */
import t from 'tap'
import { copyJson, isRecord, storablePatch, storableRecord } from '../../src/records/record-values.ts'

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

t.test('a copy is equal and shares nothing', async (t) => {
  const given = JSON.parse('{"a":[1,{"b":null}],"__proto__":{"x":1},"t":true}')
  const copy = copyJson(given, 'f')
  t.equal(JSON.stringify(copy), JSON.stringify(given))
  t.not(copy.a, given.a)
  t.not(copy.a[1], given.a[1])
  t.equal(Object.getPrototypeOf(copy), Object.prototype)
  t.equal(copy.x, undefined, 'a key named __proto__ changes no prototype')
})

t.test('a key without a value is no key', async (t) => {
  t.strictSame(Object.keys(copyJson({ a: undefined, b: 1 }, 'f')), ['b'])
})

class Instance {}
const cyclic: unknown[] = []
cyclic.push(cyclic)

const refusedValues: [name: string, value: unknown][] = [
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['a date', new Date(0)],
  ['an instance', new Instance()],
  ['a map', new Map()],
  ['a buffer', Buffer.from('x')],
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['a bigint', 1n],
  ['undefined', undefined],
  ['a hole', new Array(2)],
  ['a cycle', cyclic]
]

for (const [name, value] of refusedValues) {
  t.test(`refuses ${name}, wherever it is`, async (t) => {
    t.throws(() => copyJson(value, 'field'), { code: 'SVC_STORE_RECORD', statusCode: 400, message: /"field"/ })
    t.throws(() => copyJson({ deep: [{ er: [value] }] }, 'field'), { code: 'SVC_STORE_RECORD' })
  })
}

t.test('plain objects are records, instances of classes are none', async (t) => {
  // Fastify's path parameters are made like this.
  function Bare(): void {}
  Bare.prototype = Object.create(null)
  const records = [{}, Object.create(null), new (Bare as unknown as new () => object)()]
  for (const value of records) t.equal(isRecord(value), true)
  const others = [null, undefined, 'a', 1, [], new Date(), new Map(), new (class {})(), () => 1, Object.create({})]
  for (const value of others) t.equal(isRecord(value), false)
})
