/** J7: an entity with its REST routes, forgetting the module first; then fields are added, and the database is reset. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { freePort } from '../support/ports.ts'
import { Shop, temporaryFolder } from '../support/shop.ts'
import { Running, run, svc, svcAlone } from '../support/svc-command.ts'

const CREATE = ['create', 'entity', 'Article', 'title:string', 'body:text', '--route', '/api/articles']

t.test('without the module, with it, and as the entity grows', async (t) => {
  const shop = await Shop.create(t)
  const forgotten = await shop.svc(...CREATE)
  t.equal(forgotten.code, 1)
  t.match(
    forgotten.stderr,
    /✖ SVC_MODULE_MISSING {2}the SQL module is installed but not listed in modules\n {2}at: svc\.config\.ts:\d+\n {2}fix: npx svc module:add sql\n/
  )
  for (const file of ['entities/article.ts', 'controllers/articles.ts', 'test/articles.test.ts']) {
    await t.rejects(access(shop.path(file)), `${file} was not written`)
  }

  t.equal((await shop.svc('module:add', 'sql')).code, 0)
  const created = await shop.svc(...CREATE)
  t.equal(created.code, 0, created.stderr)
  const dev = await shop.dev()
  t.match(dev.output, 'created table article (3 columns)')
  const row = await createsAndReads(t, shop.url)

  dev.forget()
  await shop.edit(
    'entities/article.ts',
    "body: { type: 'text' }",
    "body: { type: 'text' },\n    summary: { type: 'string', nullable: true }"
  )
  await dev.shows(/added column article\.summary/)
  await dev.shows(/reloaded/)
  t.match((await shop.get(`/api/articles/${row.id}`)).body, { ...row, summary: null })

  dev.forget()
  await shop.edit(
    'entities/article.ts',
    "body: { type: 'text' }",
    "body: { type: 'text' },\n    sku: { type: 'string' }"
  )
  await dev.shows(
    /SVC_ORM_REQUIRED_COLUMN[\s\S]*article\.sku is required and cannot be added to a table with rows[\s\S]*make it nullable, or npx svc orm:diff and npx svc orm:migrate/
  )
  await dev.shows(/reloaded/)
  t.match(await shop.get(`/api/articles/${row.id}`), { status: 200, body: { title: 'a' } }, 'the boot goes on')
  const without = await send(shop.url, 'POST', '/api/articles', { title: 'a', body: 'b', sku: '1' })
  t.match(without, { status: 503, body: { code: 'SVC_ORM_REQUIRED_COLUMN' } })
  await dev.stop()

  const production = await svc(['orm:reset', '--yes'], { cwd: shop.folder, env: { NODE_ENV: 'production' } })
  t.equal(production.code, 1)
  t.match(production.stderr, /SVC_RESET_MODE .*nothing was touched/)
  const reset = await shop.svc('orm:reset', '--yes')
  t.equal(reset.code, 0, reset.stderr)
  await shop.dev()
  t.match((await shop.get('/api/articles')).body, { items: [], total: 0 })
  t.match(await send(shop.url, 'POST', '/api/articles', { title: 'a', body: 'b', sku: '1' }), { status: 201 })
})

t.test('in an installed application the module is absent first; what is generated builds and passes', async (t) => {
  const parent = await temporaryFolder(t)
  await svc(['create', 'app', 'shop'], { cwd: parent })
  const folder = join(parent, 'shop')
  const installed = await run('npm', ['install', '--prefer-offline'], { cwd: folder })
  t.equal(installed.code, 0, installed.stderr)

  const absent = await svcAlone(['module:add', 'sql'], { cwd: folder })
  t.match(absent, { code: 1, stderr: /SVC_NOT_INSTALLED {2}svc-orm and svc-sqlorm are not installed/ })
  const forgotten = await svcAlone(CREATE, { cwd: folder })
  t.match(forgotten, { code: 1, stderr: /SVC_MODULE_MISSING {2}the SQL module is not installed/ })
  const [, ...packages] =
    /fix: npm install (\S*svc-orm) (\S*svc-sqlorm), then svc module:add sql/.exec(forgotten.stderr) ?? []
  t.equal(packages.length, 2, forgotten.stderr)
  const added = await run('npm', ['install', '--prefer-offline', ...packages], { cwd: folder })
  t.equal(added.code, 0, added.stderr)
  t.equal((await svcAlone(['module:add', 'sql'], { cwd: folder })).code, 0)
  t.equal((await svcAlone(CREATE, { cwd: folder })).code, 0)
  const port = await freePort()
  const env = { PORT: String(port) }
  const tested = await run('npm', ['test'], { cwd: folder, env })
  t.equal(tested.code, 0, tested.stdout + tested.stderr)
  t.match(tested.stdout, /pass 8\n.*fail 0/)

  const started = new Running('npm', ['start'], { cwd: folder, env })
  t.teardown(() => started.stop('SIGKILL'))
  await started.shows(/"msg":"Server listening at/)
  await createsAndReads(t, `http://127.0.0.1:${port}`)
  await started.stop()
})

/** 201 with its place, the row there, the list on both transports, and the mistakes of a caller. */
async function createsAndReads(t: Test, url: string): Promise<{ id: string; title: string; body: string }> {
  const created = await send(url, 'POST', '/api/articles', { title: 'a', body: 'b' })
  t.equal(created.status, 201)
  const row = created.body as { id: string; title: string; body: string }
  t.type(row.id, 'string')
  t.same(row, { id: row.id, title: 'a', body: 'b' })
  t.equal(created.headers.get('location'), `/api/articles/${row.id}`)
  t.same((await send(url, 'GET', `/api/articles/${row.id}`)).body, row)

  const list = { items: [row], limit: 25, offset: 0, hasNext: false, total: 1 }
  t.same((await send(url, 'GET', '/api/articles')).body, list)
  t.same(await ask(`${url.replace('http', 'ws')}/api/articles`), list, 'the list over WebSocket')
  t.same(await ask(`${url.replace('http', 'ws')}/api/articles/${row.id}`), row, 'a row over WebSocket')
  t.match(await ask(`${url.replace('http', 'ws')}/api/articles/nobody`), { statusCode: 404, code: 'SVC_ORM_NOT_FOUND' })

  const untitled = await send(url, 'POST', '/api/articles', { body: 'b' })
  t.match(untitled, { status: 400, body: { details: [{ path: '/title', message: 'is required' }] } })
  t.match(await send(url, 'GET', '/api/articles?tilte=a'), { status: 400, body: { details: [{ path: '/tilte' }] } })
  t.match(await send(url, 'GET', '/api/articles/nobody'), { status: 404, body: { code: 'SVC_ORM_NOT_FOUND' } })
  return row
}

async function send(url: string, method: string, path: string, body?: object) {
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const answer = await fetch(url + path, { method, ...init })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as unknown }
}

/** One message, one answer. */
async function ask(url: string): Promise<unknown> {
  const socket = new WebSocket(url)
  try {
    return await new Promise((resolve, reject) => {
      socket.once('error', reject).once('open', () => socket.send(''))
      socket.once('message', (data) => resolve(JSON.parse(data.toString())))
    })
  } finally {
    socket.close()
  }
}
