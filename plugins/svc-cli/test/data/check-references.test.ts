/** `svc orm:check` on the real process, over a SQLite file that an earlier version has written. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { createdApp, write } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

const entities = (onDelete: string) => `import { defineEntity, entities } from 'svc-orm'

export const Author = defineEntity({ name: 'Author', schema: { name: { type: 'string' } } })
export const Article = defineEntity({
  name: 'Article',
  schema: { title: { type: 'string' } },
  relations: { author: { type: 'many-to-one', target: 'Author', nullable: true, onDelete: '${onDelete}' } }
})

entities([Author, Article])(class {})
`

t.setTimeout(120_000)

t.test('lists what is dangling, changes nothing without consent, and mends it', async (t) => {
  const cwd = await createdApp(t)
  const svc = async (...given: string[]) => runSvc(given, { cwd })
  t.match(await svc('orm:check'), { code: 1, stderr: /SVC_CHECK_NONE/ })
  await svc('module:add', 'sql')
  await write(cwd, 'entities/article.ts', entities('none'))
  t.match(await svc('orm:check'), { code: 0, stdout: /^0 relations checked/m })
  lose(cwd)
  await write(cwd, 'entities/article.ts', entities('restrict'))
  const found = await svc('orm:check')
  t.match(found, {
    code: 1,
    stdout: /default: Article\.authorId +Author +2 +restrict +a, b/,
    stderr: /SVC_CHECK_DANGLING/
  })
  const { stdout } = await svc('orm:check', '--json')
  t.match(JSON.parse(stdout), [{ entity: 'Article', relation: 'author', dangling: 2, first: ['a', 'b'] }])
  t.match(await svc('orm:check', '--repair'), { code: 1, stderr: /SVC_CHECK_DECLINED/ })
  t.equal(held(cwd), 2)
  const mended = await svc('orm:check', '--repair', '--yes')
  t.match(mended, { code: 0, stdout: /^default: Article\.authorId: set 2 references to null$/m })
  t.equal(held(cwd), 0)
  t.match(await svc('orm:check'), { code: 0, stdout: /^1 relations checked: every reference names a row$/m })
})

const scoped = (onDelete: string) => `import { defineEntity, entities } from 'svc-orm'

const scope = 'organization'
export const Author = defineEntity({ name: 'Author', scope, schema: { name: { type: 'string' } } })
export const Article = defineEntity({
  name: 'Article',
  scope,
  schema: { title: { type: 'string' } },
  relations: {
    author: { type: 'many-to-one', target: 'Author', nullable: true, onDelete: '${onDelete}' },
    editor: { type: 'many-to-one', target: 'Author', onDelete: '${onDelete}' }
  }
})

entities([Author, Article])(class {})
`

t.test('lists what names a row of another scope, empties it where that may be, and leaves the rest', async (t) => {
  const cwd = await createdApp(t)
  const svc = async (...given: string[]) => runSvc(given, { cwd })
  await svc('module:add', 'sql')
  await write(cwd, 'entities/article.ts', scoped('none'))
  await svc('orm:check')
  within(cwd, (database) =>
    database.exec(`insert into author (id, name, "organizationId") values ('a', 'Ann', 'one'), ('b', 'Ben', 'two');
      insert into article (id, title, "organizationId", "authorId", "editorId")
        values ('x', 'x', 'two', 'a', 'b'), ('y', 'y', 'two', 'b', 'a')`)
  )
  await write(cwd, 'entities/article.ts', scoped('restrict'))
  t.match(await svc('orm:check'), {
    code: 1,
    stdout:
      /default: Article\.authorId +Author of its scope +1 +restrict +x\n.*editorId +Author of its scope +1 +restrict +y/,
    stderr: /2 rows name a row that does not exist, or one of another scope, in 2 relations/
  })
  const mended = await svc('orm:check', '--repair', '--yes')
  t.match(mended, { code: 1, stdout: /^default: Article\.authorId: set 1 references to null$/m })
  t.match(mended.stderr, /1 rows still name a row of another scope/)
  t.equal(held(cwd), 1)
})

function within<T>(cwd: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(cwd, 'data/app.db'))
  try {
    return work(database)
  } finally {
    database.close()
  }
}

function lose(cwd: string): void {
  within(cwd, (database) =>
    database.exec(`insert into article (id, title, "authorId") values ('a', 'one', 'gone'), ('b', 'two', 'gone')`)
  )
}

function held(cwd: string): unknown {
  return within(cwd, (database) => database.prepare(`select count("authorId") as total from article`).get()?.total)
}
