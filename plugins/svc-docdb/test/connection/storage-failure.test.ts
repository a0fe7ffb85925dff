/** What is read as a row that is too large: what BSON cannot be written into, and no other `RangeError`. */
import mongoose from 'mongoose'
import t from 'tap'
import { storageFailure } from '../../src/connection/storage-failure.ts'

const LARGE = 'x'.repeat(20_000_000)

const tooLarge: readonly object[] = [
  { text: LARGE, more: 'x' },
  { bytes: Buffer.alloc(20_000_000), more: 1 },
  { list: Array.from({ length: 300 }, () => LARGE.slice(0, 100_000)) }
]

for (const [index, document] of tooLarge.entries()) {
  t.test(`too large ${index}`, async (t) => {
    try {
      mongoose.mongo.BSON.serialize(document)
      t.fail('it is written')
    } catch (error) {
      t.match(storageFailure(error, 'default', null), { code: 'SVC_DOCDB_TOO_LARGE', statusCode: 413 })
    }
  })
}

t.test('M3: a RangeError of an application is its own', async (t) => {
  for (const error of [new RangeError('3 is no day'), Object.assign(new RangeError('x'), { code: 'MY_RANGE' })]) {
    t.equal(storageFailure(error, 'default', null), error)
  }
})
