/** Checks on queries: equality, order and types of BSON, arrays, projections, and what must be refused. */
import assert from 'node:assert/strict'
import { Decimal128, Double, Int32, Long, ObjectId } from 'mongodb'
import { type Check, failureCode } from './check.ts'

const values = [
  null,
  new Int32(1),
  new Double(1.5),
  Long.fromNumber(2),
  Decimal128.fromString('10'),
  'b',
  'a',
  { a: 1 },
  [0],
  new ObjectId('00000000000000000000000a'),
  true,
  new Date(0)
]

/** Filter over documents `{ _id, v }`, and the ids that match. */
const rows: readonly [filter: Record<string, unknown>, ids: number[]][] = [
  [{ v: 1 }, [1, 8]],
  [{ v: Long.fromNumber(1) }, [1, 8]],
  [{ v: Decimal128.fromString('1.0') }, [1, 8]],
  [{ v: { $gt: 1 } }, [2, 3, 8]],
  [{ v: { $gte: 1, $lt: 2 } }, [1, 8]],
  [{ v: null }, [4, 5]],
  [{ v: { $ne: null } }, [1, 2, 3, 6, 7, 8, 9]],
  [{ v: { $gte: null } }, [4, 5]],
  [{ v: { $exists: false } }, [5]],
  [{ v: { $in: [2, 'text', null] } }, [2, 4, 5, 6, 8]],
  [{ v: { $nin: [1, null] } }, [2, 3, 6, 7, 9]],
  [{ v: /^te/ }, [6]],
  [{ v: { $regex: '^TE', $options: 'i' } }, [6]],
  [{ v: { $not: { $gt: 1 } } }, [1, 4, 5, 6, 7, 9]],
  [{ v: { $type: 'string' } }, [6]],
  [{ v: { $type: ['long', 'decimal'] } }, [2, 3]],
  [{ v: { x: 1, y: 2 } }, [7]],
  [{ v: { y: 2, x: 1 } }, []],
  [{ 'v.x': 1 }, [7, 9]],
  [{ v: { $size: 2 } }, [8, 9]],
  [{ v: { $all: [1, 2] } }, [8]],
  [{ v: { $elemMatch: { $gt: 1, $lt: 3 } } }, [8]],
  [{ v: { $elemMatch: { x: 1, z: 3 } } }, [9]],
  [{ 'v.0': 1 }, [8]],
  [{ v: { $mod: [2, 1] } }, [1, 3, 8]],
  [{ $or: [{ v: 1 }, { v: 'text' }] }, [1, 6, 8]],
  [{ $and: [{ v: { $gt: 1 } }, { v: { $lt: 3 } }] }, [2, 8]],
  [{ $nor: [{ v: { $exists: true } }] }, [5]]
]

const refused: readonly [what: string, filter: Record<string, unknown>, code: number][] = [
  ['an unknown operator', { v: { $foo: 1 } }, 2],
  ['an unknown top-level operator', { $foo: [] }, 2],
  ['$in without an array', { v: { $in: 1 } }, 2],
  ['an empty $or', { $or: [] }, 2],
  ['a broken regex', { v: { $regex: '(' } }, 51091],
  ['an unknown type name', { v: { $type: 'nothing' } }, 2]
]

export const queryChecks: readonly Check[] = [
  {
    name: 'filters select what they say',
    run: async ({ db }) => {
      const c = db.collection<{ _id: number; v?: unknown }>('c')
      const stored = [
        new Int32(1),
        Long.fromNumber(2),
        Decimal128.fromString('3'),
        null,
        undefined,
        'text',
        { x: 1, y: 2 },
        [1, 2],
        [{ x: 1, z: 3 }, { x: 2 }]
      ]
      await c.insertMany(stored.map((v, at) => (v === undefined ? { _id: at + 1 } : { _id: at + 1, v })))
      for (const [filter, ids] of rows) {
        const found = await c.find(filter).sort({ _id: 1 }).toArray()
        assert.deepEqual(
          found.map(({ _id }) => _id),
          ids,
          JSON.stringify(filter)
        )
      }
      await c.createIndex({ v: 1 })
      for (const [filter, ids] of rows) {
        const found = await c.find(filter).sort({ _id: 1 }).toArray()
        assert.deepEqual(
          found.map(({ _id }) => _id),
          ids,
          `with an index: ${JSON.stringify(filter)}`
        )
      }
    }
  },
  {
    name: 'sort: types in BSON order, numbers by value, both ways',
    run: async ({ db }) => {
      const c = db.collection<{ _id: number; v: unknown }>('c')
      await c.insertMany(values.map((v, _id) => ({ _id, v })))
      // An array sorts by its smallest element: [0] stands among the numbers.
      const expected = [0, 8, 1, 2, 3, 4, 6, 5, 7, 9, 10, 11]
      assert.deepEqual(
        (await c.find().sort({ v: 1, _id: 1 }).toArray()).map(({ _id }) => _id),
        expected
      )
      assert.deepEqual(
        (await c.find().sort({ v: -1, _id: 1 }).toArray()).map(({ _id }) => _id),
        [...expected].reverse()
      )
    }
  },
  {
    name: 'sort: strings by code point',
    run: async ({ db }) => {
      await db.collection('c').insertMany(['\u{1F600}', '\uFF5E', 'z', 'Z', 'é'].map((v) => ({ v })))
      const found = await db.collection('c').find().sort({ v: 1 }).toArray()
      assert.deepEqual(
        found.map(({ v }) => v),
        ['Z', 'z', 'é', '\uFF5E', '\u{1F600}']
      )
    }
  },
  {
    name: 'projection: inclusion, exclusion, nesting, $slice, $elemMatch',
    run: async ({ db }) => {
      const c = db.collection<{ _id: number; [name: string]: unknown }>('c')
      await c.insertOne({ _id: 1, a: 1, b: { c: 2, d: 3 }, list: [1, 2, 3], docs: [{ k: 1 }, { k: 2 }] })
      const project = (projection: Record<string, unknown>) => c.findOne({}, { projection })
      assert.deepEqual(await project({ a: 1 }), { _id: 1, a: 1 })
      assert.deepEqual(await project({ _id: 0, 'b.c': 1 }), { b: { c: 2 } })
      assert.deepEqual(await project({ b: 0, list: 0, docs: 0 }), { _id: 1, a: 1 })
      assert.deepEqual((await project({ list: { $slice: -2 } }))?.list, [2, 3])
      assert.deepEqual(await project({ docs: { $elemMatch: { k: 2 } } }), { _id: 1, docs: [{ k: 2 }] })
      assert.equal(await failureCode(project({ a: 1, b: 0 })), 31254)
    }
  },
  {
    name: 'projection keeps the order of the document',
    run: async ({ db }) => {
      await db.collection('c').insertOne({ z: 1, a: 2, m: 3 })
      assert.deepEqual(
        Object.keys((await db.collection('c').findOne({}, { projection: { a: 1, z: 1, _id: 0 } })) ?? {}),
        ['z', 'a']
      )
    }
  },
  ...refused.map(
    ([what, filter, code]): Check => ({
      name: `refused: ${what} (${code})`,
      run: async ({ db }) => {
        await db.collection('c').insertOne({ v: 'x' })
        assert.equal(await failureCode(db.collection('c').find(filter).toArray()), code)
      }
    })
  )
]
