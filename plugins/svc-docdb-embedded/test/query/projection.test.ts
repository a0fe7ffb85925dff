/** Projections on one document each: what is left, in the order of the document, and what is refused. */
import t from 'tap'
import { projector } from '../../src/query/projection.ts'
import { documentOf, plainOf } from '../support/documents.ts'

const document = { _id: 1, z: 1, a: { b: 1, c: [{ d: 1, e: 2 }, 5] }, list: [1, 2, 3, 4] }

function projected(projection: object, filter: object = {}): Record<string, unknown> {
  return plainOf(projector(documentOf(projection), documentOf(filter))(documentOf(document)))
}

const rows: readonly [projection: object, result: object, filter?: object][] = [
  [{}, document],
  [
    { a: 1, z: 1 },
    { _id: 1, z: 1, a: document.a }
  ],
  [{ 'a.b': 1 }, { _id: 1, a: { b: 1 } }],
  [{ a: { b: 1 } }, { _id: 1, a: { b: 1 } }],
  [{ 'a.c.d': 1, _id: 0 }, { a: { c: [{ d: 1 }] } }],
  [
    { 'a.c.d': 0, list: 0 },
    { _id: 1, z: 1, a: { b: 1, c: [{ e: 2 }, 5] } }
  ],
  [{ 'z.x': 1 }, { _id: 1 }],
  [{ _id: 0 }, { z: 1, a: document.a, list: document.list }],
  [{ _id: 1 }, { _id: 1 }],
  [
    { list: { $slice: 2 }, a: 0, z: 0 },
    { _id: 1, list: [1, 2] }
  ],
  [
    { list: { $slice: [-3, 2] }, z: 1 },
    { _id: 1, z: 1, list: [2, 3] }
  ],
  [{ list: { $elemMatch: { $gt: 2 } } }, { _id: 1, list: [3] }],
  [{ list: { $elemMatch: { $gt: 9 } } }, { _id: 1 }],
  [{ 'list.$': 1 }, { _id: 1, list: [3] }, { list: { $gt: 2 } }]
]

for (const [projection, result, filter] of rows) {
  t.test(JSON.stringify(projection), async (t) => {
    const found = projected(projection, filter)
    t.strictSame(found, result)
    t.strictSame(Object.keys(found), Object.keys(result))
  })
}

const refused: readonly [projection: object, code: number][] = [
  [{ a: 1, z: 0 }, 31254],
  [{ a: 0, z: 1 }, 31253],
  [{ a: 1, 'a.b': 1 }, 31249],
  [{ 'a.b': 1, a: 1 }, 31250],
  [{ a: '$z' }, 238],
  [{ a: { $add: [1, 2] } }, 238],
  [{ list: { $slice: 'x' } }, 28667],
  [{ list: { $slice: [1, 0] } }, 28724],
  [{ 'a.c': { $elemMatch: {} } }, 31275],
  [{ 'list.$': 1 }, 51246],
  [{ '': 1 }, 40352]
]

for (const [projection, code] of refused) {
  t.test(`refused: ${JSON.stringify(projection)}`, async (t) => t.throws(() => projected(projection), { code }))
}
