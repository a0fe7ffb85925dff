/** A SQLite file of an older version opens, and works, as it is. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import svcSqlorm from 'svc-sqlorm'
import t, { type Test } from 'tap'
import { firstMigrations } from './first-migration.ts'
import { opensUnchanged } from './opens-unchanged.ts'
import { vectorFile } from './vectors.ts'

function olderFile(t: Test): string {
  const file = join(t.testdir({}), 'shop.db')
  writeFileSync(file, gunzipSync(readFileSync(vectorFile('sqlite.db.gz'))))
  return file
}

t.test('the first migration of a SQLite file of 0.1.0', async (t) => {
  const connected = (file: string) => [svcSqlorm, { connectors: { default: { url: `sqlite:${file}` } } }] as const
  firstMigrations(t, {
    database: async (t) => connected(olderFile(t)),
    empty: async (t) => connected(join(t.testdirName, 'empty.db'))
  })
})

t.test('a SQLite file of 0.1.0', async (t) => {
  const file = olderFile(t)
  await opensUnchanged(t, {
    driver: 'sqlorm',
    records: 'sqlite',
    module: (clock) => [svcSqlorm, { connectors: { default: { url: `sqlite:${file}` } }, parts: { clock } }],
    async schema() {
      const database = new DatabaseSync(file, { readOnly: true })
      try {
        return database.prepare('select type, name, tbl_name, sql from sqlite_master order by type, name').all()
      } finally {
        database.close()
      }
    }
  })
})
