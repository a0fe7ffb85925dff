/** J5: a route is added while the server runs; broken files are told and never take the server down. */
import { access, rm } from 'node:fs/promises'
import t from 'tap'
import { Shop } from '../support/shop.ts'

t.test('svc create controller, served without a restart', async (t) => {
  const shop = await Shop.create(t)
  const dev = await shop.dev()

  const dry = await shop.svc('create', 'controller', 'ping', '--route', '/api', '--dry-run')
  t.equal(dry.code, 0, dry.stderr)
  t.match(dry.stdout, 'controllers/ping.ts')
  await t.rejects(access(shop.path('controllers/ping.ts')), 'a dry run writes nothing')

  const created = await shop.svc('create', 'controller', 'ping', '--route', '/api')
  t.equal(created.code, 0, created.stderr)
  await dev.shows(/reloaded.*\n?.*ping/)
  t.match(await shop.get('/api/ping'), { status: 200, body: { pong: true, app: 'shop' } })
  t.same(Object.keys((await shop.get('/api/ping')).body as object), ['pong', 'app'])

  const again = await shop.svc('create', 'controller', 'ping', '--route', '/api')
  t.equal(again.code, 1, 'an existing file is never overwritten')
})

t.test('mistakes in a controller file', async (t) => {
  const shop = await Shop.create(t)
  const dev = await shop.dev()
  const file = 'controllers/ping.ts'
  const good = `import { controller, Get } from 'svc-decorators'

@controller('/api')
export class PingController {
  @Get('/ping')
  ping() {
    return { pong: 1 }
  }
}
`
  await shop.write(file, good)
  await dev.shows(/reloaded/)
  t.match(await shop.get('/api/ping'), { status: 200, body: { pong: 1 } })

  const mistakes: ReadonlyArray<readonly [what: string, text: string, shown: RegExp]> = [
    ['a class that is not exported', good.replace('export class', 'class'), /SVC_CONTROLLER_NOT_LOADED.*ping\.ts/],
    [
      'a file that throws on load',
      `throw new Error('broken on purpose')\n`,
      /SVC_CONTROLLER_FAILED[\s\S]*broken on purpose/
    ],
    ['a syntax error', good.replace('return {', 'return {{'), /ping\.ts/],
    [
      'a route declared twice',
      good.replace("@Get('/ping')", "@Get('/hello')"),
      /SVC_ROUTE_DUPLICATE[\s\S]*(hello\.ts:\d+[\s\S]*ping\.ts:\d+|ping\.ts:\d+[\s\S]*hello\.ts:\d+)/
    ]
  ]
  for (const [what, text, shown] of mistakes) {
    dev.forget()
    await shop.write(file, text)
    await dev.shows(shown)
    t.match(await shop.get('/api/ping'), { status: 200, body: { pong: 1 } }, `${what}: the old code keeps serving`)
  }

  await shop.write(file, good.replace('pong: 1', 'pong: 2'))
  await served(shop, '/api/ping', { pong: 2 })
  t.pass('the mended file is served')

  await rm(shop.path(file))
  await served(shop, '/api/ping', { statusCode: 404 })
  t.pass('a removed file takes its routes along')
})

t.test('an edit of any module of the application is served, none stale', async (t) => {
  const shop = await Shop.create(t)
  await shop.write('price.ts', 'export const price = { cents: 100 }\n')
  await shop.edit('controllers/hello.ts', /^import/m, "import { price } from '../price.ts'\nimport")
  await shop.edit('controllers/hello.ts', "hello: 'world'", 'hello: String(price.cents)')
  const dev = await shop.dev()
  t.match(await shop.get('/api/hello'), { body: { hello: '100' } })
  await shop.write('price.ts', 'export const price = { cents: 250 }\n')
  await served(shop, '/api/hello', { hello: '250' })
  await shop.edit('svc.config.ts', "'^/api'", "'^/(api|more)'")
  await dev.shows(/reloaded.*svc\.config\.ts/)
  t.match(await shop.get('/api/hello'), { status: 200, body: { hello: '250' } })
})

/** Polls until the body has these fields; every answer on the way must be an answer: the port never closes. */
async function served(shop: Shop, path: string, fields: Record<string, unknown>): Promise<void> {
  for (let attempt = 0; attempt < 2000; attempt += 1) {
    const { body } = await shop.get(path)
    const found = Object.entries(fields).every(
      ([key, value]) => (body as Record<string, unknown> | null)?.[key] === value
    )
    if (found) return
    await new Promise((resume) => setImmediate(resume))
  }
  throw new Error(`${path} never answered ${JSON.stringify(fields)}`)
}
