/** What is told of a statement, as a table; never a value. */
import t from 'tap'
import { statementFacts } from '../../src/engines/statement-facts.ts'

const rows: Array<[sql: string, kind: string, table: string | null]> = [
  ['select * from "svc_user" where "id" = ?', 'select', 'svc_user'],
  ['insert into "orders" ("a") values (?)', 'insert', 'orders'],
  ['  UPDATE orders SET a = 1', 'update', 'orders'],
  ['delete from "orders"', 'delete', 'orders'],
  ['with "x" as (select 1 from "a") select 1 from "x"', 'with', 'a'],
  ['drop table if exists "orders"', 'drop', 'orders'],
  ['create table if not exists counter (id text)', 'create', 'counter'],
  ['begin', 'begin', null],
  ['select 1', 'select', null],
  ['', 'other', null],
  [`select ${'1, '.repeat(1000)}2 from "far"`, 'select', null]
]

for (const [sql, kind, table] of rows) {
  t.test(sql.slice(0, 50) || 'nothing', async (t) => {
    t.match(statementFacts('main', sql), { connector: 'main', kind, table })
    t.strictSame(statementFacts('main', sql), statementFacts('main', sql), 'the same when it comes again')
  })
}
