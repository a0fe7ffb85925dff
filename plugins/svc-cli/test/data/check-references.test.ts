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
  t.match(await svc('orm:check', '--repair'), {
    code: 1,
    stdout: /^This sets authorId of 2 rows of Article to null\.$/m,
    stderr: /SVC_CHECK_DECLINED/
  })
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

const TREE = `import { defineEntity, entities } from 'svc-orm'

export const Author = defineEntity({
  name: 'Author',
  schema: { name: { type: 'string' } },
  relations: { editor: { type: 'many-to-one', target: 'Author', nullable: true, onDelete: 'none' } },
  tree: 'editor'
})

entities([Author])(class {})
`

t.test('lists circles of trees, says what a repair would do, and opens them', async (t) => {
  const cwd = await createdApp(t)
  const svc = async (...given: string[]) => runSvc(given, { cwd })
  await svc('module:add', 'sql')
  await write(cwd, 'entities/author.ts', TREE)
  t.match(await svc('orm:check'), { code: 0, stdout: /^1 trees checked: no row is above itself$/m })
  within(cwd, (database) =>
    database.exec(`insert into author (id, name, "editorId")
      values ('a', 'A', 'c'), ('b', 'B', 'a'), ('c', 'C', 'b'), ('d', 'D', 'b'), ('e', 'E', 'e'), ('f', 'F', null)`)
  )
  const found = await svc('orm:check')
  t.match(found, {
    code: 1,
    stdout: /^default: Author\.editorId +2 +4 +a, e$/m,
    stderr: /SVC_CHECK_CIRCLES[\s\S]*4 rows are above themselves, in 1 trees/
  })
  const { stdout } = await svc('orm:check', '--json')
  t.match(JSON.parse(stdout), [{ entity: 'Author', field: 'editorId', circling: 4, circles: 2, first: ['a', 'e'] }])
  t.match(await svc('orm:check', '--repair'), {
    code: 1,
    stdout: /^This sets editorId of 2 rows of Author to null, one of each circle\.$/m,
    stderr: /SVC_CHECK_DECLINED/
  })
  const roots = () =>
    within(cwd, (database) => database.prepare('select id from author where "editorId" is null order by id').all())
  t.same(roots(), [{ id: 'f' }])
  const mended = await svc('orm:check', '--repair', '--yes')
  t.match(mended, { code: 0, stdout: /^default: Author\.editorId: set 2 references to null, one of each circle$/m })
  t.same(roots(), [{ id: 'a' }, { id: 'e' }, { id: 'f' }])
  t.equal((await svc('orm:check')).code, 0)
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
