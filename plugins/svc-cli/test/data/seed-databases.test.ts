/** `svc orm:seed` on the real process, over a SQLite file. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { createdApp, write } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

const ENTITY = `import { defineEntity, entities } from 'svc-orm'

export const Article = defineEntity({ name: 'Article', schema: { title: { type: 'string' } } })

entities([Article])(class {})
`

const SEED = `import { defineSeed } from 'svc-orm'
import { Article } from '../entities/article.ts'

export default defineSeed(async ({ repository }) => {
  await repository(Article).create({ title: 'Welcome' })
})
`

t.setTimeout(120_000)

t.test('a seed runs once, again where it is asked to, and anew after a reset', async (t) => {
  const cwd = await createdApp(t)
  const svc = async (...given: string[]) => runSvc(given, { cwd })
  t.match(await svc('orm:seed'), { code: 1, stderr: /SVC_SEED_NONE/ })
  await svc('module:add', 'sql')
  await write(cwd, 'entities/article.ts', ENTITY)
  t.match(await svc('orm:seed'), { code: 1, stderr: /SVC_ORM_SEED_NONE/ })
  await write(cwd, 'seeds/welcome.ts', SEED)
  t.match(await svc('orm:seed'), { code: 0, stdout: /^default: ran welcome$/m, stderr: '' })
  t.match(await svc('orm:seed'), { code: 0, stdout: /^default: nothing to do; --again runs welcome$/m })
  t.match(await svc('orm:seed', 'welcme'), { code: 1, stderr: /SVC_ORM_SEED_NAME[\s\S]*svc orm:seed welcome/ })
  t.match(await svc('orm:seed', 'welcome', '--again'), { code: 0, stdout: /^default: ran welcome$/m })
  t.equal(count(cwd), 2)
  t.match(await svc('orm:reset', '--yes'), { code: 0, stdout: /svc_seed/ })
  t.match(await svc('orm:seed'), { code: 0, stdout: /^default: ran welcome$/m })
  t.equal(count(cwd), 1)
})

function count(cwd: string): unknown {
  const database = new DatabaseSync(join(cwd, 'data/app.db'))
  try {
    return database.prepare('select count(*) as total from article').get()?.total
  } finally {
    database.close()
  }
}
