/** A SQLite file of an older version opens, and works, as it is. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import svcSqlorm from 'svc-sqlorm'
import t, { type Test } from 'tap'
import { firstMigrations } from './first-migration.ts'
import { opensUnchanged } from './opens-unchanged.ts'
import { VERSIONS, type Version, vectorFile } from './vectors.ts'

function olderFile(t: Test, version: Version): string {
  const file = join(t.testdir({}), 'shop.db')
  writeFileSync(file, gunzipSync(readFileSync(vectorFile(version, 'sqlite.db.gz'))))
  return file
}

t.test('the first migration of a SQLite file of 0.1.0', async (t) => {
  const connected = (file: string) => [svcSqlorm, { connectors: { default: { url: `sqlite:${file}` } } }] as const
  firstMigrations(t, {
    database: async (t) => connected(olderFile(t, '0.1.0')),
    empty: async (t) => connected(join(t.testdirName, 'empty.db'))
  })
})

for (const version of VERSIONS) {
  t.test(`a SQLite file of ${version}`, async (t) => {
    const file = olderFile(t, version)
    await opensUnchanged(t, {
      version,
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
}
