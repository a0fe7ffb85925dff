/** `svc orm:diff`, `orm:migrate`, `orm:rollback` and `orm:status` on the real process, over a database with rows. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { createdApp, edit, write } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

const ENTITY = `import { defineEntity, entities } from 'svc-orm'

export const Article = defineEntity({
  name: 'Article',
  schema: { title: { type: 'string' }, stars: { type: 'string' } }
})

entities([Article])(class {})
`

t.setTimeout(120_000)

t.test('an entity changes, and its rows go along', async (t) => {
  const cwd = await createdApp(t)
  const svc = async (...given: string[]) => runSvc(given, { cwd })
  t.match(await svc('orm:status'), { code: 1, stderr: /SVC_MIGRATE_NONE/ })
  await svc('module:add', 'sql')
  await write(cwd, 'entities/article.ts', ENTITY)

  const first = await svc('orm:diff', 'The first')
  t.match(first, { code: 0, stdout: /wrote migrations.\d{14}_the_first\.ts\n.*snapshot\.json\n {2}create Article/ })
  t.match(await svc('orm:migrate'), { code: 0, stdout: /^default: ran \d+_the_first$/m })

  const database = new DatabaseSync(join(cwd, 'data/app.db'))
  t.teardown(() => database.close())
  database.exec(`insert into article (id, title, stars) values ('1', 'a', '5'), ('2', 'b', '7')`)
  const rows = () => database.prepare('select * from article order by id').all()

  await edit(
    cwd,
    'entities/article.ts',
    ["title: { type: 'string' }", "head: { type: 'string', was: 'title' }"],
    ["stars: { type: 'string' }", "stars: { type: 'integer' }, sku: { type: 'string' }"]
  )
  t.match(await svc('orm:diff', 'better'), { code: 0, stderr: /DATA:/ })
  const refused = await svc('orm:migrate')
  t.match(refused, { code: 1, stderr: /SVC_ORM_MIGRATION_DATA +2 rows of article have no sku/ })
  const file = readdirSync(join(cwd, 'migrations')).find((name) => name.endsWith('_better.ts'))
  await edit(cwd, `migrations/${file}`, ['{ fill: undefined }', "{ fill: 'none' }"])
  const shown = await svc('orm:migrate', '--dry-run')
  t.match(shown.stdout, /^alter table "article" rename column "title" to "head";$/m)
  t.match(rows()[0], { title: 'a' })
  t.match(await svc('orm:migrate'), { code: 0 })
  t.match(rows(), [
    { id: '1', head: 'a', stars: 5, sku: 'none' },
    { id: '2', head: 'b', stars: 7, sku: 'none' }
  ])
  t.match(await svc('orm:status'), { code: 0, stdout: /_better +20\d\d-/, stderr: '' })

  t.match(await svc('orm:rollback', '--steps', 'x'), { code: 2, stderr: /SVC_MIGRATE_STEPS/ })
  for (const mode of ['production', 'development']) {
    const careful = await runSvc(['orm:rollback'], { cwd, env: { NODE_ENV: mode } })
    const message = /SVC_MIGRATE_CONFIRM +the rollback deletes 2 values of Article\.sku; nothing was done/
    t.match(careful, { code: 1, stderr: message }, `U2: ${mode}`)
  }
  t.match(rows()[0], { head: 'a' })
  t.match(await svc('orm:rollback', '--dry-run'), { code: 0, stderr: /would delete 2 values of Article\.sku/ })
  t.match(await svc('orm:rollback', '--yes'), { code: 0, stdout: /^default: undid \d+_better$/m })
  t.match(rows()[0], { title: 'a', stars: '5', sku: undefined })
  const open = await svc('orm:status')
  t.match(open, { code: 1, stdout: /_better +not yet/, stderr: /SVC_MIGRATE_OPEN +1 of 2 migrations/ })
})

t.test('U1: a database that is there: the baseline, and what the entities have become', async (t) => {
  const cwd = await createdApp(t)
  const svc = async (...given: string[]) => runSvc(given, { cwd })
  await svc('module:add', 'sql')
  await write(cwd, 'entities/article.ts', ENTITY)
  t.match(await svc('orm:baseline'), { code: 0, stdout: /no table of an entity: npx svc orm:diff writes the first/ })
  const database = new DatabaseSync(join(cwd, 'data/app.db'))
  t.teardown(() => database.close())
  database.exec(`
    create table article (id text not null primary key, title text not null, stars text not null, legacy text);
    insert into article values ('1', 'a', '5', 'x')`)
  const written = await svc('orm:baseline')
  t.match(written, { code: 0, stdout: /wrote migrations.\d{14}_baseline\.ts\n.*snapshot\.json\n {2}create Article/ })
  t.match(written.stderr, /SVC_ORM_MIGRATION_BASELINE +Article has columns in the database without a field/)
  t.match(await svc('orm:baseline'), { code: 1, stderr: /SVC_ORM_MIGRATION_BASELINE/ })
  t.match(await svc('orm:migrate'), { code: 0, stdout: /^default: ran \d+_baseline$/m })
  await edit(cwd, 'entities/article.ts', ["title: { type: 'string' }", "head: { type: 'string', was: 'titel' }"])
  t.match(await svc('orm:diff', 'better', '--dry-run'), {
    code: 0,
    stderr: /SVC_ORM_MIGRATION_WAS[\s\S]*did you mean title\?/
  })
  t.match(await svc('orm:rollback'), { code: 0, stdout: /^default: undid \d+_baseline$/m }, 'it found the table')
  t.match({ ...database.prepare('select * from article').get() }, { title: 'a', legacy: 'x' })
})
