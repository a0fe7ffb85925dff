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
  const both = { isolation: 'repeatable read', retry: false }
  t.strictSame(readTransactionOptions(database, both), both)
  t.strictSame(readTransactionOptions(database, { retry: true }), { retry: true })
})

t.test('what is refused', async (t) => {
  const rows: readonly (readonly [given: unknown, message: RegExp])[] = [
    ['serializable', /options of a transaction.*an object/],
    [null, /options of a transaction.*an object/],
    [{ isolate: 'serializable' }, /isolate.*isolation or retry, the options of a transaction/],
    [{ retry: 'never' }, /retry.*true or false/],
    [{ isolation: 'chaos' }, /isolation.*read committed, repeatable read, all that connector books has$/],
    [{ isolation: 'serializable' }, /books has; lock what is read instead: find\(criteria, \{ lock: "update" \}\)$/]
  ]
  for (const [given, message] of rows) {
    t.throws(() => readTransactionOptions(database, given), { code: 'SVC_ORM_OPTIONS', message }, JSON.stringify(given))
  }
})
