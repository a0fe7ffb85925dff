/** Work that is not run again: an outage in its midst is one, and no conflict. */
import type { ClientSession } from 'mongodb'
import { startDocumentEngine } from 'svc-docdb-embedded'
import t from 'tap'
import { runTransaction } from '../../src/transactions/document-transaction.ts'
import { connectionTo } from '../support/open-connection.ts'

t.test('the server ends within the transaction', async (t) => {
  const engine = await startDocumentEngine()
  t.teardown(() => engine.close())
  const uri = `mongodb://127.0.0.1:${engine.port}/svc?replicaSet=rs0&heartbeatFrequencyMS=500`
  const connection = connectionTo(t, { uri, selectionTimeoutMs: 300 })
  await connection.open()
  let runs = 0
  const work = runTransaction(
    connection,
    async (tx) => {
      runs += 1
      const session = tx.session as ClientSession
      const notes = connection.db.collection('note')
      await notes.insertOne({ text: 'a' }, { session })
      await engine.close()
      await notes.insertOne({ text: 'b' }, { session })
    },
    { retry: false }
  )
  await t.rejects(work, { statusCode: 503, code: /^SVC_ORM_/ })
  t.equal(runs, 1)
})
