/** SQLite's own errors, raised for real where that is possible, by what they mean. */
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { isBusy, sqliteFailure } from '../../../src/engines/sqlite/sqlite-failure.ts'
import { WriteLockTimeout } from '../../../src/engines/sqlite/write-lock.ts'

const TABLE: readonly (readonly [code: number, kind: string | null])[] = [
  [1, null],
  [3, 'misconfigured'],
  [5, 'busy'],
  [5 | (1 << 8), 'busy'],
  [6, 'busy'],
  [8, 'read-only'],
  [10, 'unavailable'],
  [10 | (3 << 8), 'unavailable'],
  [11, 'damaged'],
  [13, 'full'],
  [4874, 'full'],
  [14, 'misconfigured'],
  [26, 'damaged'],
  [275, 'value'],
  [1299, 'null'],
  [3091, 'value']
]

for (const [errcode, kind] of TABLE) {
  t.test(`result code ${errcode} is ${kind}`, async (t) => {
    t.equal(sqliteFailure(Object.assign(new Error('x'), { errcode }))?.kind ?? null, kind)
  })
}

t.test('unique violations name their columns', async (t) => {
  const database = new DatabaseSync(':memory:')
  t.teardown(() => database.close())
  database.exec('create table "pair" ("id" text primary key, "a" text, "b" text) strict')
  database.exec('create unique index "pair_key" on "pair" ("a", "b")')
  const insert = (sql: string): unknown => {
    try {
      database.exec(sql)
    } catch (error) {
      return error
    }
    return null
  }
  t.equal(insert("insert into pair values ('1', 'x', 'y')"), null)
  const unique = { kind: 'unique', constraint: { table: 'pair', name: null, columns: ['a', 'b'] } }
  t.strictSame(sqliteFailure(insert("insert into pair values ('2', 'x', 'y')")), unique)
  const key = { kind: 'unique', constraint: { table: 'pair', name: null, columns: ['id'] } }
  t.strictSame(sqliteFailure(insert("insert into pair values ('1', 'z', 'y')")), key)
})

t.test('what is no result code', async (t) => {
  t.equal(sqliteFailure(new WriteLockTimeout())?.kind, 'busy')
  t.equal(sqliteFailure(new Error('x')), null)
  t.equal(sqliteFailure('x'), null)
  t.notOk(isBusy(new Error('x')))
  t.ok(isBusy(Object.assign(new Error('x'), { errcode: 261 })))
})
