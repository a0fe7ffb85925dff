/** Rows as documents and back; criteria, changes and order as the server's own. */
import mongoose from 'mongoose'
import type { CompiledEntity, CompiledField, Condition, FieldType } from 'svc-orm'
import t from 'tap'
import { DocumentShape } from '../../src/gateway/document-shape.ts'

const { BSON, ObjectId } = mongoose.mongo

const ID = '64b7f0a1c2d3e4f5a6b7c8d9'
const OTHER = '64b7f0a1c2d3e4f5a6b7c8da'

function field(name: string, type: FieldType, array = false): [string, CompiledField] {
  const rest = { unique: false, default: undefined, maxLength: null, managed: false, nullable: true }
  return [name, { name, type, array, ...rest }]
}

const entity: CompiledEntity = {
  name: 'Article',
  module: null,
  table: 'article',
  fields: new Map([
    field('title', 'string'),
    field('views', 'integer'),
    field('at', 'date'),
    field('tags', 'string', true),
    field('extra', 'json'),
    field('authorId', 'id'),
    field('readers', 'id', true)
  ]),
  relations: new Map(),
  indexes: [],
  timestamps: false,
  place: null
}

const shape = new DocumentShape(entity)
const row = {
  id: ID,
  title: 'T',
  views: 1,
  at: new Date(5),
  tags: ['a'],
  extra: { a: [1, null] },
  authorId: OTHER,
  readers: [OTHER]
}
const empty = { id: ID, title: null, views: null, at: null, tags: null, extra: null, authorId: null, readers: null }

t.test('a row there and back, through BSON', async (t) => {
  const document = shape.toDocument(row)
  t.ok(document._id instanceof ObjectId && document.authorId instanceof ObjectId)
  t.strictSame(shape.toRow(BSON.deserialize(BSON.serialize(document))), row)
})

t.test('null is absent, absent is null', async (t) => {
  t.strictSame(Object.keys(shape.toDocument(empty)), ['_id'])
  t.strictSame(shape.toRow({ _id: new ObjectId(ID) }), empty)
  t.strictSame(
    shape.toRow({ _id: new ObjectId(ID), title: null, unknown: 1 }),
    empty,
    'what is not declared is not read'
  )
})

const json: [what: string, value: unknown][] = [
  ['keys of the BSON library', { _bsontype: 'ObjectId', id: 'x' }],
  ['nested ones', [{ a: { _bsontype: 'Long' } }]],
  ['a reference', { $ref: 'users', $id: 1 }],
  ['a reference with a database', { a: { $ref: 'users', $id: 'x', $db: 'y', more: true } }],
  ['operators', { $gt: '', 'a.b': { $where: '1' } }],
  ['prototype keys', JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}')],
  ['numbers', [0, -1.5, 1e300, 2 ** 53 - 1]],
  ['text', ['', '\u{1F600}', 'a\u0000b']]
]

for (const [what, value] of json) {
  t.test(`json: ${what}`, async (t) => {
    const document = BSON.deserialize(BSON.serialize(shape.toDocument({ ...empty, extra: value })))
    t.equal(JSON.stringify(shape.toRow(document).extra), JSON.stringify(value))
    t.notOk('polluted' in {})
  })
}

const filters: [what: string, conditions: Condition[], expected: object][] = [
  ['nothing', [], {}],
  ['a value', [{ field: 'title', operator: 'eq', value: 'T' }], { title: { $eq: 'T' } }],
  ['an id', [{ field: 'id', operator: 'eq', value: ID }], { _id: { $eq: new ObjectId(ID) } }],
  ['a reference', [{ field: 'authorId', operator: 'ne', value: ID }], { authorId: { $ne: new ObjectId(ID) } }],
  ['null', [{ field: 'title', operator: 'null', value: true }], { title: { $eq: null } }],
  ['not null', [{ field: 'title', operator: 'null', value: false }], { title: { $ne: null } }],
  ['a list', [{ field: 'views', operator: 'in', values: [1, 2], orNull: true }], { views: { $in: [1, 2, null] } }],
  ['an empty list', [{ field: 'views', operator: 'in', values: [], orNull: false }], { views: { $in: [] } }],
  ['not in a list', [{ field: 'views', operator: 'nin', values: [1], orNull: false }], { views: { $nin: [1] } }],
  ['membership', [{ field: 'tags', operator: 'has', values: ['a'], orNull: false }], { tags: { $in: ['a'] } }],
  [
    'no membership',
    [{ field: 'readers', operator: 'hasnt', values: [ID], orNull: false }],
    { readers: { $nin: [new ObjectId(ID)] } }
  ],
  [
    'a pattern',
    [{ field: 'title', operator: 'like', pattern: 'a.%' }],
    { title: { $regex: '^a\\.[\\s\\S]*(?![\\s\\S])' } }
  ],
  [
    'two on one field',
    [
      { field: 'views', operator: 'gt', value: 1 },
      { field: 'views', operator: 'lte', value: 9 }
    ],
    { $and: [{ views: { $gt: 1 } }, { views: { $lte: 9 } }] }
  ]
]

for (const [what, conditions, expected] of filters) {
  t.test(`filter: ${what}`, async (t) => {
    t.strictSame(BSON.EJSON.serialize(shape.toFilter(conditions)), BSON.EJSON.serialize(expected))
  })
}

t.test('changes', async (t) => {
  const none = new Map()
  const set = new Map<string, unknown>([
    ['title', null],
    ['authorId', ID]
  ])
  t.strictSame(shape.toUpdate({ set, max: new Map([['views', 3]]), min: none, add: none }), {
    $unset: { title: '' },
    $set: { authorId: new ObjectId(ID) },
    $max: { views: 3 }
  })
  t.strictSame(shape.toUpdate({ set: none, max: none, min: new Map([['views', 3]]), add: new Map([['n', 1]]) }), {
    $min: { views: 3 },
    $inc: { n: 1 }
  })
})

t.test('an insertion leaves out what its filter names', async (t) => {
  const insertion = shape.toInsertion({ ...empty, title: 'T', views: 2 }, ['title'])
  t.strictSame(insertion, { $setOnInsert: { _id: new ObjectId(ID), views: 2 } })
  t.strictSame(shape.toInsertion({ ...empty, title: 'T' }, ['id']), { $setOnInsert: { title: 'T' } })
})

t.test('order', async (t) => {
  const order = [
    { field: 'title', direction: 'DESC' },
    { field: 'id', direction: 'ASC' }
  ] as const
  t.strictSame(Object.entries(shape.toSort(order)), [
    ['title', -1],
    ['_id', 1]
  ])
})
