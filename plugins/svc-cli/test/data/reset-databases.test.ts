/** `svc orm:reset` on the real process: asks, refuses outside of development, and leaves empty tables as entities say. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { createdApp, edit } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

t.test('without a database there is nothing to reset', async (t) => {
  const cwd = await createdApp(t)
  const { code, stderr } = await runSvc(['orm:reset', '--yes'], { cwd })
  t.equal(code, 1)
  t.match(stderr, /SVC_RESET_NONE/)
})

t.test('tables are dropped and made anew, with what is required now; foreign tables stay', async (t) => {
  const cwd = await createdApp(t)
  await runSvc(['module:add', 'sql'], { cwd })
  await runSvc(['create', 'entity', 'Article', 'title:string'], { cwd })
  t.equal((await runSvc(['orm:reset', '--yes'], { cwd })).code, 0)
  const database = new DatabaseSync(join(cwd, 'data/app.db'))
  t.teardown(() => database.close())
  database.exec("insert into article (id, title) values ('1', 'a'); create table mine (a); insert into mine values (1)")
  const count = (table: string) => database.prepare(`select count(*) as n from ${table}`).get()?.n

  for (const env of [{ NODE_ENV: 'production' }, { NODE_ENV: 'test' }]) {
    const refused = await runSvc(['orm:reset', '--yes'], { cwd, env })
    t.equal(refused.code, 1)
    t.match(refused.stderr, /SVC_RESET_MODE .*nothing was touched[\s\S]*expected development/)
  }
  const unasked = await runSvc(['orm:reset'], { cwd })
  t.equal(unasked.code, 1)
  t.match(unasked.stderr, /SVC_RESET_DECLINED {2}there is no terminal to ask for confirmation: nothing was touched/)
  t.equal(count('article'), 1)

  await edit(cwd, 'entities/article.ts', [
    "title: { type: 'string' }",
    "title: { type: 'string' }, sku: { type: 'string' }"
  ])
  const reset = await runSvc(['orm:reset', '--yes'], { cwd })
  t.equal(reset.code, 0, reset.stderr)
  t.match(reset.stdout, /^default: emptied .*article/)
  t.equal(count('article'), 0)
  t.equal(count('mine'), 1, 'what nobody declared stays')
  const columns = database.prepare("select name from pragma_table_info('article')").all()
  t.strictSame(
    columns.map(({ name }) => name),
    ['id', 'title', 'sku']
  )
})
