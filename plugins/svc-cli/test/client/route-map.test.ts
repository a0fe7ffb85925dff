/** `routes.d.ts` of an application: what it says, when it is written, and what it leaves alone. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createdApp, edit, write } from '../support/sandbox.ts'
import { runSvc, SvcProcess } from '../support/svc-process.ts'

const CONTROLLER = `import { Body, controller, CurrentUser, Delete, Get, Param, Post, Query } from 'svc-decorators'
import { expectedError } from 'svc-kernel/plugin'
import type { User } from 'svc-kernel'
import { z } from 'zod'

const SoldOut = expectedError<[]>('SHOP_SOLD_OUT', 'sold out', 409)
const order = { type: 'object', required: ['article'], properties: { article: { type: 'string' } } } as const
const draft = { type: 'object', properties: { pieces: { type: 'integer', default: 1 } } } as const
const shown = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, note: { type: ['string', 'null'] } } } as const

interface Order {
  article: string
}

@controller('/api/orders')
export class Orders {
  @Get('/', { query: z.object({ page: z.coerce.number().default(1), state: z.enum(['open', 'paid']) }) })
  list(@Query() query: object) {
    return { query, at: new Date(0) }
  }

  @Get('/:id', { response: { 200: shown, 404: { type: 'object' } } })
  read(@Param('id') id: string, @CurrentUser() _user: User, @Query('lang') _lang: string) {
    return { id, secret: 1 }
  }

  @Post('/', { body: order, schema: { errors: [SoldOut] } })
  add(@Body() order: Order) {
    return order
  }

  @Post('/drafts', { body: draft })
  draft(@Body() given: { pieces: number }) {
    return given
  }

  @Post('/loose')
  loose(@Body() given: Order) {
    return given
  }

  @Delete('/:id')
  remove(@Param('id') _id: string) {}
}
`

const PAGE = `import { createClient } from 'svc-client'
import type { Routes } from './routes.d.ts'

export async function page() {
  const api = createClient<Routes>({ baseUrl: 'http://127.0.0.1:5151' })
  const { article }: { article: string } = await api.call('POST /api/orders', { body: { article: 'tea' } })
  const { at }: { at: string } = await api.call('GET /api/orders', { query: { state: 'open' } })
  const { id }: { id: string; note?: string | null } = await api.call('GET /api/orders/:id', { params: { id: 7 } })
  await api.call('POST /api/orders/drafts', { body: {} })
  // @ts-expect-error the state is one of two
  await api.call('GET /api/orders', { query: { state: 'none' } })
  // @ts-expect-error an order has an article
  await api.call('POST /api/orders', { body: {} })
  return [article, at, id]
}
`

function lineOf(map: string, route: string): string | undefined {
  return map.split('\n').find((line) => line.startsWith(`  '${route}'`))
}

t.test('build writes the map, and the client of the application compiles against it', async (t) => {
  const cwd = await createdApp(t)
  await edit(cwd, 'package.json', ['"svc-cli"', '"svc-client": "^0.1.0",\n    "svc-cli"'])
  await write(cwd, 'controllers/orders.ts', CONTROLLER)
  await write(cwd, 'page.ts', PAGE)
  const built = await runSvc(['build'], { cwd })
  t.equal(built.code, 0, built.stdout + built.stderr)
  t.match(
    built.stderr,
    /▲ SVC_CLIENT_BODY {2}Orders\.loose takes a body without a schema: it is unknown to the client\n/
  )
  t.match(built.stderr, /at: controllers\/orders\.ts:\d+/)

  const map = readFileSync(join(cwd, 'routes.d.ts'), 'utf8')
  t.match(map, "import type { Orders } from './controllers/orders.js'")
  t.match(lineOf(map, 'POST /api/orders'), "input: { body: Taken<Orders['add'], 0> }; answer: Returned<Orders['add']>;")
  t.match(lineOf(map, 'POST /api/orders/loose'), 'input: { body?: unknown };')
  t.match(lineOf(map, 'POST /api/orders/drafts'), 'input: { body: { pieces?: number } };')
  t.match(
    lineOf(map, 'GET /api/orders/:id'),
    "input: { params: { id: PathValue }; query?: { lang?: Taken<Orders['read'], 2> } };"
  )
  t.match(lineOf(map, 'GET /api/orders/:id'), 'answer: { id: string; note?: string | null };')
  t.match(lineOf(map, 'GET /api/orders'), "input: { query: { page?: number; state: 'open' | 'paid' } };")
  t.match(map, /interface Errors\d+ \{[^}]*SHOP_SOLD_OUT: 409/)
  t.notMatch(map, /\/svc\/(?!security\/api\/auth)/)

  const { mtimeNs } = statSync(join(cwd, 'routes.d.ts'), { bigint: true })
  await edit(cwd, 'controllers/orders.ts', ['at: new Date(0)', 'at: new Date(0), more: 1'])
  await runSvc(['build'], { cwd })
  t.equal(statSync(join(cwd, 'routes.d.ts'), { bigint: true }).mtimeNs, mtimeNs, 'the types follow without a new map')
})

t.test('dev writes it at the start, and when routes change', async (t) => {
  const cwd = await createdApp(t)
  await edit(cwd, 'package.json', ['"svc-cli"', '"svc-client": "^0.1.0",\n    "svc-cli"'])
  const server = new SvcProcess(t, ['dev'], { cwd, env: { PORT: '0' } })
  await server.address()
  const map = () => readFileSync(join(cwd, 'routes.d.ts'), 'utf8')
  t.match(map(), "'GET /api/hello'")
  await edit(cwd, 'controllers/hello.ts', ["'/hello'", "'/hello-again'"])
  await server.says(/reloaded in/)
  await server.says(/reloaded|./)
  await until(() => map().includes("'GET /api/hello-again'"))
  t.equal(await server.stop(), 0)
})

t.test('an application without the client has no map, and a file of its own stays', async (t) => {
  const cwd = await createdApp(t)
  await write(cwd, 'routes.d.ts', 'export interface Routes {}\n')
  t.equal((await runSvc(['build'], { cwd })).code, 0)
  await edit(cwd, 'package.json', ['"svc-cli"', '"svc-client": "^0.1.0",\n    "svc-cli"'])
  const { code, stderr } = await runSvc(['build'], { cwd })
  t.equal(code, 0)
  t.match(stderr, /▲ SVC_CLIENT_MAP {2}routes\.d\.ts is a file of yours/)
  t.equal(readFileSync(join(cwd, 'routes.d.ts'), 'utf8'), 'export interface Routes {}\n')
})

/** Turns of the loop, until it holds; the time limit of the test ends what never does. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate)
}
