/** Statements are prepared once, and the cache stays bounded. */
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { StatementCache } from '../../../src/engines/sqlite/statement-cache.ts'

t.test('the same text is one statement', async (t) => {
  const database = new DatabaseSync(':memory:')
  t.teardown(() => database.close())
  database.exec('create table pair (id text)')
  const cache = new StatementCache(database)
  const select = cache.prepare('select 1 as one')
  t.ok(select.answers)
  t.equal(cache.prepare('select 1 as one'), select)
  t.notOk(cache.prepare("insert into pair values ('x')").answers, 'an insert answers no rows')
  t.ok(cache.prepare("insert into pair values ('x') returning id").answers, 'unless it says so')
  for (let index = 0; index < 511; index += 1) cache.prepare(`select ${index} as number`)
  t.equal(cache.prepare('select 510 as number'), cache.prepare('select 510 as number'))
  t.not(cache.prepare('select 1 as one'), select, 'the least recently used one made room')
})

t.test('rows are lists where the text itself names their columns', async (t) => {
  const database = new DatabaseSync(':memory:')
  t.teardown(() => database.close())
  database.exec('create table pair (id text, price integer)')
  const cache = new StatementCache(database)
  const table: readonly (readonly [text: string, names: readonly string[] | null])[] = [
    ['select id, price as cost from pair', ['id', 'cost']],
    ['select count(*) as total from pair', ['total']],
    ["insert into pair values ('x', 1) returning id", ['id']],
    ['select * from pair', null],
    ['select pair.* from pair', null],
    ['select price * 2 as twice from pair', null],
    ['select id as "__proto__" from pair', null],
    ['delete from pair', null]
  ]
  for (const [text, names] of table) t.strictSame(cache.prepare(text).names, names, text)
  database.exec("insert into pair values ('x', 1)")
  t.strictSame(cache.prepare('select id, price as cost from pair').statement.all(), [['x', 1]])
})
