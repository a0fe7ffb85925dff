/** Rows as documents and back; criteria, changes and order as the server's own. */
import mongoose from 'mongoose'
import type { Condition, TablePlan } from 'svc-stores/table'
import t from 'tap'
import { conditionFilter } from '../../src/table/condition-filter.ts'
import { DocumentColumns } from '../../src/table/document-columns.ts'
import { changeUpdate, insertionUpdate, putUpdate } from '../../src/table/document-update.ts'

const { BSON, ObjectId } = mongoose.mongo

const ID = '64b7f0a1c2d3e4f5a6b7c8d9'
const OTHER = '64b7f0a1c2d3e4f5a6b7c8da'

const plan: TablePlan = {
  name: 'article',
  columns: [
    { name: 'id', type: 'id' },
    { name: 'title', type: 'text', nullable: true },
    { name: 'views', type: 'integer', nullable: true },
    { name: 'at', type: 'date', nullable: true },
    { name: 'tags', type: 'text', list: true, nullable: true },
    { name: 'extra', type: 'json', nullable: true },
    { name: 'authorId', type: 'id', nullable: true },
    { name: 'readers', type: 'id', list: true, nullable: true }
  ]
}

const columns = new DocumentColumns(plan)
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
  const document = columns.toDocument(row)
  t.ok(document._id instanceof ObjectId && document.authorId instanceof ObjectId)
  t.strictSame(columns.toRow<Record<string, unknown>>(BSON.deserialize(BSON.serialize(document))), row)
})

t.test('null is absent, absent is null', async (t) => {
  t.strictSame(Object.keys(columns.toDocument(empty)), ['_id'])
  t.strictSame(columns.toRow<Record<string, unknown>>({ _id: new ObjectId(ID) }), empty)
  t.strictSame(
    columns.toRow<Record<string, unknown>>({ _id: new ObjectId(ID), title: null, unknown: 1 }),
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
    const document = BSON.deserialize(BSON.serialize(columns.toDocument({ ...empty, extra: value })))
    t.equal(JSON.stringify(columns.toRow<Record<string, unknown>>(document).extra), JSON.stringify(value))
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
    t.strictSame(BSON.EJSON.serialize(conditionFilter(columns, conditions)), BSON.EJSON.serialize(expected))
  })
}

const kept: TablePlan = {
  name: 'kept',
  key: ['key'],
  columns: [
    { name: 'key', type: 'text', field: 'keptId' },
    { name: 'at', type: 'time' },
    { name: 'until', type: 'time', nullable: true },
    { name: 'mail', type: 'text' },
    { name: 'words', type: 'text', list: true },
    { name: 'accounts', type: 'json', list: true },
    { name: 'free', type: 'document' },
    { name: 'answer', type: 'document', nullable: true }
  ],
  indexes: [{ columns: ['mail'], unique: true }],
  itemIndexes: [
    { column: 'accounts', fields: ['subject', 'provider'], unique: true, table: 't', columns: ['s', 'p'], owner: 'o' }
  ]
}

const keptColumns = new DocumentColumns(kept)

const account = { provider: 'idp', subject: 'alice' }

const portFilters: [what: string, conditions: Condition[], expected: object][] = [
  ['a key with a field of its own', [{ field: 'key', operator: 'eq', value: 'k' }], { keptId: { $eq: 'k' } }],
  ['a time is a date', [{ field: 'at', operator: 'lte', value: 5 }], { at: { $lte: new Date(5) } }],
  ['a part', [{ field: 'mail', operator: 'contains', text: 'a.b' }], { mail: { $regex: 'a\\.b', $options: 'i' } }],
  ['a beginning', [{ field: 'mail', operator: 'starts', text: 'a*' }], { mail: { $regex: '^a\\*', $options: 'i' } }],
  ['an item', [{ field: 'accounts', operator: 'holds', item: account }], { accounts: { $elemMatch: account } }],
  [
    'no item',
    [{ field: 'accounts', operator: 'lacks', item: account }],
    { accounts: { $not: { $elemMatch: account } } }
  ],
  ['nothing at all', [{ operator: 'any', of: [] }], { _id: { $in: [] } }],
  [
    'one of several',
    [{ operator: 'any', of: [[{ field: 'mail', operator: 'eq', value: 'm' }], []] }],
    { $or: [{ mail: { $eq: 'm' } }, {}] }
  ],
  [
    'what comes after a row',
    [
      {
        operator: 'after',
        order: [
          { field: 'at', direction: 'DESC' },
          { field: 'key', direction: 'ASC' }
        ],
        values: [5, 'k']
      }
    ],
    { $or: [{ at: { $lt: new Date(5) } }, { at: { $eq: new Date(5) }, keptId: { $gt: 'k' } }] }
  ],
  [
    'one test for each field',
    [
      { field: 'key', operator: 'eq', value: 'k' },
      { field: 'until', operator: 'null', value: true }
    ],
    { keptId: { $eq: 'k' }, until: { $eq: null } }
  ]
]

for (const [what, conditions, expected] of portFilters) {
  t.test(`filter: ${what}`, async (t) => {
    t.strictSame(BSON.EJSON.serialize(conditionFilter(keptColumns, conditions)), BSON.EJSON.serialize(expected))
  })
}

t.test('a part with the one capital that folds to two characters', async (t) => {
  const { mail } = conditionFilter(keptColumns, [{ field: 'mail', operator: 'contains', text: 'i\u0307z' }])
  const { $regex } = mail as { $regex: string }
  t.match('\u0130Z', new RegExp($regex, 'i'))
  t.match('i\u0307z', new RegExp($regex, 'i'))
})

t.test('rows of a plan: native types, what is absent, what is hidden', async (t) => {
  const whole = {
    key: 'k',
    at: 5,
    until: null,
    mail: 'm',
    words: ['w'],
    accounts: [account],
    free: { 'a.b': 1 },
    answer: { b: 1, a: 2 }
  }
  const document = keptColumns.toDocument(whole)
  const nested = { words: ['w'], accounts: [account], free: '{"a.b":1}', answer: { b: 1, a: 2 } }
  t.strictSame(document, { keptId: 'k', at: new Date(5), mail: 'm', ...nested })
  t.strictSame(keptColumns.toRow({ _id: 'server', ...document }), whole)
  const bare = { key: 'k', at: 5, until: null, mail: 'm', words: [], accounts: [], free: {}, answer: null }
  t.strictSame(keptColumns.toRow({ keptId: 'k', at: 5, mail: 'm', until: null, answer: null }), bare)
  t.strictSame(Object.keys(keptColumns.toRow<object>(document, ['free', 'answer', 'words'])), [
    'key',
    'at',
    'until',
    'mail',
    'accounts'
  ])
  t.strictSame(keptColumns.projection(['key', 'free']), { keptId: 0, free: 0 })
})

t.test('changes', async (t) => {
  const set = { title: null, authorId: ID }
  t.strictSame(changeUpdate<typeof set & { views: number }>(columns, { set, max: { views: 3 } }), {
    $unset: { title: '' },
    $set: { authorId: new ObjectId(ID) },
    $max: { views: 3 }
  })
  t.strictSame(changeUpdate<{ views: number }>(columns, { min: { views: 3 } }), {
    $min: { views: 3 }
  })
  t.strictSame(changeUpdate<{ views: number }>(columns, { add: { views: 1 } }), { $inc: { views: 1 } })
  type Kept = { words: string[]; accounts: object[]; at: number }
  t.strictSame(changeUpdate<Kept>(keptColumns, { push: { words: 'w' }, pull: { accounts: account }, max: { at: 7 } }), {
    $push: { words: 'w' },
    $pull: { accounts: account },
    $max: { at: new Date(7) }
  })
  t.strictSame(changeUpdate(columns, {}), {})
})

t.test('a put replaces, keeps and takes the greater of both', async (t) => {
  const whole = { key: 'k', at: 5, until: 6, mail: 'm', words: [], accounts: [], free: {}, answer: null }
  t.strictSame(putUpdate(keptColumns, whole, { keep: ['at', 'answer'], max: ['until'] }), {
    $setOnInsert: { at: new Date(5) },
    $max: { until: new Date(6) },
    $set: { mail: 'm', words: [], accounts: [], free: {} }
  })
  t.strictSame(putUpdate(keptColumns, { ...whole, until: null }, {}).$unset, { until: '', answer: '' })
})

t.test('an insertion leaves out what its filter names', async (t) => {
  const insertion = insertionUpdate(columns, { ...empty, title: 'T', views: 2 }, ['title'])
  t.strictSame(insertion, { $setOnInsert: { _id: new ObjectId(ID), views: 2 } })
  t.strictSame(insertionUpdate(columns, { ...empty, title: 'T' }, ['id']), { $setOnInsert: { title: 'T' } })
})

t.test('order', async (t) => {
  const order = [
    { field: 'title', direction: 'DESC' },
    { field: 'id', direction: 'ASC' }
  ] as const
  t.strictSame(Object.entries(columns.sort(order)), [
    ['title', -1],
    ['_id', 1]
  ])
  t.strictSame(
    keptColumns.sort([
      { field: 'mail', direction: 'ASC' },
      { field: 'key', direction: 'ASC' }
    ]),
    { mail: 1 },
    'a unique column ends it'
  )
  t.strictSame(keptColumns.sort(), { keptId: 1 })
})

t.test('conditions that name one row', async (t) => {
  const naming: [Condition[], boolean][] = [
    [[{ field: 'key', operator: 'eq', value: 'k' }], true],
    [[{ field: 'mail', operator: 'eq', value: 'm' }], true],
    [[{ field: 'at', operator: 'eq', value: 1 }], false],
    [[{ field: 'mail', operator: 'ne', value: 'm' }], false],
    [[{ field: 'accounts', operator: 'holds', item: account }], true],
    [[{ field: 'accounts', operator: 'holds', item: { provider: 'idp' } }], false],
    [[], false]
  ]
  for (const [conditions, one] of naming) t.equal(keptColumns.namesOneRow(conditions), one)
})
