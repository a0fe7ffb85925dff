/** On SQLite, the first rows of each are found by the number of a row, and by their key in a table whose rows have none. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { defineEntity } from 'svc-orm'
import t from 'tap'
import { queriesOf } from '../support/entries-read.ts'
import { sqlApp } from '../support/sql-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const Folder = defineEntity({
  name: 'Folder',
  schema: { name: { type: 'string' } },
  relations: { files: { type: 'one-to-many', target: 'File', mappedBy: 'folder' } }
})
const File = defineEntity({
  name: 'File',
  schema: { size: { type: 'integer' }, data: { type: 'json', nullable: true }, at: { type: 'date', nullable: true } },
  relations: { folder: { type: 'many-to-one', target: 'Folder' } },
  indexes: [{ fields: ['folderId', 'size'] }]
})

const AT = new Date('2026-01-02T03:04:05.678Z')
const LARGEST = { include: { files: { order: [['size', 'DESC']], limit: 2 } }, order: [['name', 'ASC']] } as never

for (const [name, ending, column] of [
  ['a table that the boot makes', null, '_rowid_'],
  ['a table that stands', '', '_rowid_'],
  ['a table that stands without numbers of rows', 'without rowid', 'id']
] as const) {
  t.test(name, async (t) => {
    const file = join(temporaryFolder(t), 'files.db')
    if (ending !== null) {
      const database = new DatabaseSync(file)
      database.exec(`create table folder (id text not null primary key, name text not null);
        create table file (id text not null primary key, size integer not null, data text, at integer,
        "folderId" text not null references folder (id)) ${ending}`)
      database.close()
    }
    const { fastify } = await sqlApp(t, `sqlite:${file}`, { entities: [Folder, File] })
    await fastify.ready()
    const folders = fastify.orm.repository(Folder)
    const [a, b, c] = await folders.createMany([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
    const sizes = [
      [a?.id, 3],
      [b?.id, 1],
      [a?.id, 9],
      [a?.id, 5],
      [b?.id, 2],
      [a?.id, 9]
    ] as const
    const files = await fastify.orm
      .repository(File)
      .createMany(sizes.map(([folderId = '', size]) => ({ size, data: { size }, at: AT, folderId })))
    let found: unknown
    const queries = await queriesOf(async () => {
      found = await folders.find({}, LARGEST)
    }, true)
    t.strictSame(found, [
      { ...a, files: [files[2], files[5]] },
      { ...b, files: [files[4], files[1]] },
      { ...c, files: [] }
    ])
    t.match(queries[1]?.sql, `"file"."${column}" in (select "own"."${column}" from`)
  })
}
