/** Updates, indexes and pipelines that must be refused, each with MongoDB's code; nothing may be changed by them. */
import assert from 'node:assert/strict'
import { type Check, failureCode } from './check.ts'

const before = { _id: 1, text: 'x', scalar: 5, list: [1], nested: { a: 1 } }

const updates: readonly [what: string, update: Record<string, unknown>, code: number][] = [
  ['an unknown modifier', { $foo: { a: 1 } }, 9],
  ['$inc on a string', { $inc: { text: 1 } }, 14],
  ['$inc by a string', { $inc: { scalar: 'x' } }, 14],
  ['$set through a scalar', { $set: { 'scalar.a': 1 } }, 28],
  ['$set of another _id', { $set: { _id: 2 } }, 66],
  ['two operators on one path', { $set: { a: 1 }, $inc: { a: 1 } }, 40],
  ['a path and its parent', { $set: { nested: 1, 'nested.a': 2 } }, 40],
  ['$push onto a scalar', { $push: { scalar: 1 } }, 2],
  ['$addToSet onto a scalar', { $addToSet: { scalar: 1 } }, 2],
  ['$pop of a scalar', { $pop: { scalar: 1 } }, 14],
  ['an empty path', { $set: { '': 1 } }, 56],
  ['a path with an empty part', { $set: { 'a..b': 1 } }, 56],
  ['a $-prefixed field', { $set: { $a: 1 } }, 52],
  ['the positional $ without a match', { $set: { 'list.$': 1 } }, 2]
]

const pipelines: readonly [what: string, stage: Record<string, unknown>, code: number][] = [
  ['an unknown stage', { $foo: 1 }, 40324],
  ['an unknown expression', { $project: { a: { $foo: 1 } } }, 168],
  ['an unknown accumulator', { $group: { _id: null, a: { $foo: 1 } } }, 15952]
]

export const updateRefusals: readonly Check[] = [
  ...updates.map(
    ([what, update, code]): Check => ({
      name: `refused: ${what} (${code})`,
      run: async ({ db }) => {
        const c = db.collection<typeof before>('c')
        await c.insertOne(before)
        assert.equal(
          await failureCode(
            db.command({ update: 'c', updates: [{ q: { _id: 1 }, u: update }] }).then(throwWriteErrors)
          ),
          code
        )
        assert.deepEqual(await c.findOne(), before)
      }
    })
  ),
  ...pipelines.map(
    ([what, stage, code]): Check => ({
      name: `refused: ${what} (${code})`,
      run: async ({ db }) => {
        await db.collection('c').insertOne({ a: 1 })
        assert.equal(await failureCode(db.collection('c').aggregate([stage]).toArray()), code)
      }
    })
  ),
  {
    name: 'refused: a document over 16 MiB (10334)',
    run: async ({ db }) => {
      const command = { insert: 'c', documents: [{ text: 'x'.repeat(16 * 1024 * 1024) }] }
      assert.equal(await failureCode(db.command(command).then(throwWriteErrors)), 10334)
    }
  },
  {
    name: 'refused: an array as _id (2), an unknown command (59), an unknown option (40415)',
    run: async ({ db }) => {
      assert.equal(await failureCode(db.command({ insert: 'c', documents: [{ _id: [1] }] }).then(throwWriteErrors)), 2)
      assert.equal(await failureCode(db.command({ nothing: 1 })), 59)
      assert.equal(await failureCode(db.command({ find: 'c', nothing: 1 })), 40415)
    }
  }
]

/** Commands that are sent as they are report failures of statements in their answer. */
function throwWriteErrors(reply: Record<string, unknown>): void {
  const [first] = Array.isArray(reply.writeErrors) ? reply.writeErrors : []
  if (first !== undefined) throw Object.assign(new Error('write error'), { code: first.code })
}
