/** Indexes that a server has none of: unique ones stop the boot, others cost time alone. */
import mongoose from 'mongoose'
import t from 'tap'
import { indexProblems } from '../../src/connection/index-problems.ts'

t.test('a unique index that the server cannot have stops the boot', async (t) => {
  const error = new mongoose.mongo.MongoServerError({ code: 67, errmsg: '$and only supported at top level' })
  const other = new mongoose.mongo.MongoServerError({ code: 85, errmsg: 'index exists with other options' })
  const refused = (index: object, of: unknown) => ({ collection: 'papers', entity: 'Paper', index, error: of }) as never
  const problems = await indexProblems(mongoose.connection.db as never, 'svc', [
    refused({ key: { state: 1, serial: 1 }, unique: true }, error),
    refused({ key: { title: 1 } }, error),
    refused({ key: { slug: 1 }, unique: true }, other)
  ])
  t.match(problems, [
    {
      code: 'SVC_DOCDB_UNIQUE_INDEX',
      message: /unique index on state, serial/,
      at: 'entity Paper, on connector svc',
      got: '$and only supported at top level',
      fix: /where of the index on state, serial, or take unique off it$/
    }
  ])
  t.equal(problems.length, 1)
})
