/** The keys a document has in an index: absence, arrays, arrays of documents, sparse and partial indexes. */
import { deserialize, serialize } from 'bson'
import t from 'tap'
import { indexKeys } from '../../src/indexes/collection-index.ts'
import { readIndexDefinition } from '../../src/indexes/index-definition.ts'
import { decodeDocument } from '../../src/values/decode.ts'

const document = (plain: object) => decodeDocument(Buffer.from(serialize(plain)))

/** The keys as plain values; `empty` stands for an empty array. */
function keysOf(index: object, plain: object): unknown[] {
  const definition = readIndexDefinition(document({ name: 'i', ...index }))
  return indexKeys(definition, document(plain)).map((key) => {
    const items = deserialize(serialize(new Map([['k', key.map((value) => (value === undefined ? 'empty' : value))]])))
    return items.k
  })
}

const rows: readonly [index: object, document: object, keys: unknown[]][] = [
  [{ key: { a: 1 } }, { a: 5 }, [[5]]],
  [{ key: { a: 1 } }, {}, [[null]]],
  [{ key: { a: 1 } }, { a: [] }, [['empty']]],
  [{ key: { a: 1 } }, { a: [1, [2]] }, [[1], [[2]]]],
  [{ key: { 'a.b': 1 } }, { a: { b: 1 } }, [[1]]],
  [{ key: { 'a.b': 1 } }, { a: 1 }, [[null]]],
  [{ key: { 'a.b': 1 } }, { a: [{ b: 1 }, { b: [2, 3] }, {}] }, [[1], [2], [3], [null]]],
  [{ key: { 'a.0': 1 } }, { a: [7, 8] }, [[7]]],
  [
    { key: { a: 1, b: 1 } },
    { a: [1, 2], b: 3 },
    [
      [1, 3],
      [2, 3]
    ]
  ],
  [
    { key: { 'a.x': 1, 'a.y': 1 } },
    {
      a: [
        { x: 1, y: 2 },
        { x: 3, y: 4 }
      ]
    },
    [
      [1, 2],
      [3, 4]
    ]
  ],
  [{ key: { a: 1 }, sparse: true }, { b: 1 }, []],
  [{ key: { a: 1 }, sparse: true }, { a: null }, [[null]]],
  [{ key: { a: 1, b: 1 }, sparse: true }, { b: 1 }, [[null, 1]]],
  [{ key: { a: 1 }, partialFilterExpression: { live: true } }, { a: 1 }, []],
  [{ key: { a: 1 }, partialFilterExpression: { live: true } }, { a: 1, live: true }, [[1]]]
]

for (const [index, plain, keys] of rows) {
  t.test(`${JSON.stringify(index)} of ${JSON.stringify(plain)}`, async (t) => t.strictSame(keysOf(index, plain), keys))
}

t.test('two arrays', async (t) => {
  t.throws(() => keysOf({ key: { a: 1, b: 1 } }, { a: [1], b: [2] }), { code: 171 })
})

const refused: readonly [index: object, code: number][] = [
  [{ key: {} }, 67],
  [{ key: { a: 0 } }, 67],
  [{ key: { a: 'text' } }, 238],
  [{ key: { 'a.$**': 1 } }, 238],
  [{ key: { a: 1 }, hidden: true }, 238],
  [{ key: { a: 1 }, nothing: true }, 197],
  [{ key: { a: 1, b: 1 }, expireAfterSeconds: 5 }, 67],
  [{ key: { a: 1 }, sparse: true, partialFilterExpression: { a: 1 } }, 67],
  [{ key: { a: 1 }, partialFilterExpression: { $foo: 1 } }, 2]
]

for (const [index, code] of refused) {
  t.test(`refused: ${JSON.stringify(index)}`, async (t) => t.throws(() => keysOf(index, {}), { code }))
}
