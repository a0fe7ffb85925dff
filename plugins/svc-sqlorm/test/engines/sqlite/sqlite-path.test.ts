/** Texts at paths of JSON, by SQLite itself where it reads them exactly, and by the function where it does not. */
import { DatabaseSync } from 'node:sqlite'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import t from 'tap'
import { atPath } from '../../../src/engines/sqlite/at-path.ts'
import { AT_PATH, encodeSqlitePath, sqliteAtPath } from '../../../src/engines/sqlite/sqlite-path.ts'

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler()
  }
})

/** JSON, a path, and the text there; `calls` of the function that this takes. */
const ROWS: readonly (readonly [json: string | null, path: readonly string[], text: string | null, calls: number])[] = [
  ['{"a":"x"}', ['a'], 'x', 0],
  ['{"a":{"b":"x"}}', ['a', 'b'], 'x', 0],
  ['{"a":"x\\n\\"y\\""}', ['a'], 'x\n"y"', 0],
  ['{"a":5}', ['a'], null, 0],
  ['{"a":true}', ['a'], null, 0],
  ['{"a":null}', ['a'], null, 0],
  ['{"a":["x"]}', ['a'], null, 0],
  ['{"a":{"b":"x"}}', ['a'], null, 0],
  ['{"a":["x"]}', ['a', 'length'], null, 0],
  ['{"a.b":"x","a":{"b":"y"}}', ['a.b'], 'x', 0],
  ['{"a b":"x","é":"y"}', ['é'], 'y', 0],
  ['["x"]', ['a'], null, 0],
  ['"x"', ['a'], null, 0],
  [null, ['a'], null, 0],
  ['{"a":["x","y"]}', ['a', '1'], 'y', 1],
  ['{"a":{"1":"y"}}', ['a', '1'], 'y', 1],
  ['{"\\"":"x"}', ['"'], 'x', 1],
  ['{"":"x"}', [''], 'x', 1],
  // As another program may write it.
  ['{"\\u0061":"\\u0062"}', ['a'], 'b', 1],
  // Half of a character is stored in text as U+FFFD, as whatever it is compared with is bound.
  ['{"a":"half \\ud800"}', ['a'], 'half \ufffd', 1],
  ['{"a":"nul\\u0000"}', ['a'], 'nul\0', 1]
]

t.test('the text at a path, and nothing of another kind', async (t) => {
  const database = new DatabaseSync(':memory:')
  t.teardown(() => database.close())
  let calls = 0
  database.function(AT_PATH, (json, path, kind) => {
    calls += 1
    return atPath(json, path, kind)
  })
  database.exec('create table held (data text)')
  const insert = database.prepare('insert into held values (?)')
  const query = sql`select ${sqliteAtPath(sql.ref('data'), 'string')} as text from held`.compile(compiler)
  for (const [json, path, text, expected] of ROWS) {
    database.exec('delete from held')
    insert.run(json)
    calls = 0
    const shown = `${json} at ${path.join('.')}`
    t.equal(database.prepare(query.sql).get(...(encodeSqlitePath(path, 'string') as string[]))?.text, text, shown)
    t.equal(calls, expected, shown)
  }
})
