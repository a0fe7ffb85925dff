/** Pipelines: results of the engine's own stages and of computed ones, and what is refused before anything is read. */
import { Decimal128, Long, ObjectId } from 'bson'
import t from 'tap'
import { parsePipeline } from '../../src/aggregation/pipeline.ts'
import { documentOf, plainOf } from '../support/documents.ts'

const id = new ObjectId()
const documents = [
  { k: 'x', n: 1, ref: id, tags: ['p', 'q'] },
  { k: 'y', n: 2, ref: new ObjectId(), tags: [] },
  { k: 'x', n: Long.fromNumber(5), ref: new ObjectId(id.toHexString()), tags: ['p'] }
]

function run(pipeline: readonly object[], input: readonly object[] = documents): object[] {
  const neighbour = () => [documentOf({ key: 'x', found: true })]
  const stages = parsePipeline(pipeline.map(documentOf), neighbour)
  return stages.reduce((found, stage) => [...stage(found)], input.map(documentOf)).map(plainOf)
}

const rows: readonly [pipeline: object[], result: unknown[]][] = [
  [[{ $match: { n: { $gte: 2 } } }, { $count: 'n' }], [{ n: 2 }]],
  [[{ $match: { n: 99 } }, { $count: 'n' }], []],
  [[{ $sort: { n: -1 } }, { $skip: 1 }, { $limit: 1 }, { $project: { n: 1 } }], [{ n: 2 }]],
  [[{ $group: { _id: 1, n: { $sum: 1 } } }], [{ _id: 1, n: 3 }]],
  [[{ $group: { _id: '$ref', n: { $sum: '$n' } } }, { $sort: { n: -1 } }, { $limit: 1 }], [{ _id: id, n: 6 }]],
  [
    [{ $group: { _id: '$k', top: { $max: '$n' } } }, { $sort: { _id: 1 } }],
    [
      { _id: 'x', top: 5 },
      { _id: 'y', top: 2 }
    ]
  ],
  [[{ $unwind: '$tags' }, { $sortByCount: '$tags' }, { $limit: 1 }], [{ _id: 'p', count: 2 }]],
  [[{ $unset: ['ref', 'tags', 'k'] }, { $limit: 1 }], [{ n: 1 }]],
  [[{ $limit: 1 }, { $project: { sum: { $add: ['$n', 1] } } }], [{ sum: 2 }]],
  [[{ $limit: 1 }, { $addFields: { twice: { $multiply: ['$n', 2] } } }, { $project: { twice: 1 } }], [{ twice: 2 }]],
  // The items of a list that meet a condition, on values that no double holds.
  [
    [
      { $addFields: { big: { $literal: Long.MAX_VALUE } } },
      {
        $addFields: {
          found: { $size: { $filter: { input: { $ifNull: ['$tags', []] }, cond: { $gte: ['$$this', 'q'] } } } }
        }
      },
      { $match: { big: Long.MAX_VALUE } },
      { $project: { found: 1 } }
    ],
    [{ found: 1 }, { found: 0 }, { found: 0 }]
  ],
  [
    [{ $limit: 1 }, { $addFields: { none: { $filter: { input: '$gone', cond: true } } } }, { $project: { none: 1 } }],
    [{ none: null }]
  ],
  // A condition that looks at the document as well is computed elsewhere.
  [
    [
      { $limit: 1 },
      { $addFields: { own: { $filter: { input: '$tags', as: 'tag', cond: { $eq: ['$$tag', 'p'] } } } } },
      { $project: { own: 1 } }
    ],
    [{ own: ['p'] }]
  ],
  [
    [{ $limit: 1 }, { $lookup: { from: 'b', localField: 'k', foreignField: 'key', as: 'b' } }, { $project: { b: 1 } }],
    [{ b: [{ key: 'x', found: true }] }]
  ],
  // What is found passes through stages that leave values as they are; null is also what is absent.
  [
    [
      { $match: { k: { $in: ['x', 'y'] } } },
      { $lookup: { from: 'b', localField: 'k', foreignField: 'key', pipeline: [{ $count: 'rows' }], as: 'b' } },
      { $sort: { 'b.rows': -1, n: 1 } },
      { $project: { k: 1, b: 1 } }
    ],
    [
      { k: 'x', b: [{ rows: 1 }] },
      { k: 'x', b: [{ rows: 1 }] },
      { k: 'y', b: [] }
    ]
  ],
  [
    [
      { $match: { k: 'y' } },
      {
        $lookup: {
          from: 'b',
          localField: 'none',
          foreignField: 'none',
          pipeline: [{ $match: { found: true } }],
          as: 'b'
        }
      },
      { $project: { b: 1 } }
    ],
    [{ b: [{ key: 'x', found: true }] }]
  ],
  [
    [
      { $match: { n: 1 } },
      { $lookup: { from: 'b', localField: 'tags', foreignField: 'key', as: 'b' } },
      { $project: { b: 1 } }
    ],
    [{ b: [] }]
  ]
]

for (const [pipeline, result] of rows) {
  t.test(JSON.stringify(pipeline), async (t) => t.strictSame(run(pipeline), result))
}

t.test('a computed $project keeps _id first', async (t) => {
  const [found = {}] = run([{ $project: { twice: { $multiply: ['$n', 2] } } }], [{ _id: 1, n: 2 }])
  t.strictSame(Object.keys(found), ['_id', 'twice'])
})

const refused: readonly [stage: object, code: number][] = [
  [{ $foo: 1 }, 40324],
  [{}, 40323],
  [{ $match: {}, $limit: 1 }, 40323],
  [{ $out: 'x' }, 238],
  [{ $facet: {} }, 238],
  [{ $match: 1 }, 15959],
  [{ $match: { a: { $foo: 1 } } }, 2],
  [{ $sort: {} }, 15976],
  [{ $sort: { a: 2 } }, 15975],
  [{ $limit: 0 }, 15958],
  [{ $skip: -1 }, 15972],
  [{ $count: '' }, 40156],
  [{ $unset: [] }, 31002],
  [{ $project: {} }, 51272],
  [{ $project: { a: { $foo: 1 } } }, 168],
  [{ $addFields: { a: { $cond: [{ $foo: 1 }, 1, 2] } } }, 168],
  [{ $group: { n: { $sum: 1 } } }, 15955],
  [{ $group: { _id: null, n: 1 } }, 40234],
  [{ $group: { _id: null, n: { $foo: 1 } } }, 15952],
  [{ $lookup: { from: 'b', pipeline: [], as: 'b' } }, 238],
  [{ $lookup: { from: 'b', as: 'b' } }, 9],
  [{ $lookup: { from: 'b', localField: 'k', foreignField: 'key', as: 'b', further: 'x' } }, 9],
  [{ $lookup: { from: 'b', localField: 'k', foreignField: 'key', as: 'b', let: {} } }, 238],
  [{ $lookup: { from: 'b', localField: 'k', foreignField: 'key', as: 'b.c' } }, 238],
  [{ $lookup: { from: 'b', localField: 'k', foreignField: 'key', as: 'b', pipeline: [{ $unwind: '$x' }] } }, 238],
  [{ $lookup: { from: 'b', localField: 'k', foreignField: 'key', as: 'b', pipeline: {} } }, 14]
]

for (const [stage, code] of refused) {
  t.test(`refused: ${JSON.stringify(stage)}`, async (t) => t.throws(() => run([stage], []), { code }))
}

t.test('values that doubles cannot hold are counted, matched and sorted, but not computed with', async (t) => {
  const input = [{ n: Decimal128.fromString('0.1') }, { n: Long.fromString('9007199254740993') }]
  t.strictSame(run([{ $match: { n: { $gt: 0 } } }, { $group: { _id: null, all: { $sum: 1 } } }], input), [
    { _id: null, all: 2 }
  ])
  for (const one of input) {
    t.throws(() => run([{ $project: { sum: { $add: ['$n', 1] } } }], [one]), { code: 238 })
    t.throws(() => run([{ $group: { _id: { $toLower: '$k' }, sum: { $sum: '$n' } } }], [one]), { code: 238 })
  }
})
