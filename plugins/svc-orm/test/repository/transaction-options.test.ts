/** Options of a transaction, against the isolations that a database has: what it cannot keep is refused with what it can. */
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { readTransactionOptions } from '../../src/repository/entity-repositories.ts'

const database = Object.assign(memoryDatabase({ name: 'books' }), {
  isolations: ['read committed', 'repeatable read'] as const
})

t.test('no options, and an isolation that the database has', async (t) => {
  t.strictSame(readTransactionOptions(database, undefined), {})
  t.strictSame(readTransactionOptions(database, {}), {})
  t.strictSame(readTransactionOptions(database, { isolation: undefined }), {})
  t.strictSame(readTransactionOptions(database, { isolation: 'repeatable read' }), { isolation: 'repeatable read' })
})

t.test('what is refused', async (t) => {
  const rows: readonly (readonly [given: unknown, message: RegExp])[] = [
    ['serializable', /options of a transaction.*an object/],
    [null, /options of a transaction.*an object/],
    [{ isolate: 'serializable' }, /isolate.*isolation, the one option of a transaction/],
    [{ isolation: 'chaos' }, /isolation.*read committed, repeatable read, all that connector books has$/],
    [{ isolation: 'serializable' }, /books has; lock what is read instead: find\(criteria, \{ lock: "update" \}\)$/]
  ]
  for (const [given, message] of rows) {
    t.throws(() => readTransactionOptions(database, given), { code: 'SVC_ORM_OPTIONS', message }, JSON.stringify(given))
  }
})
