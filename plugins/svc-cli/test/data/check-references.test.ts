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
