/** A controller of an entity of pairs, over a raw socket: its paths have the fields of the key, and so has the document. */
import { Body, Ctx, controller, Delete, Get, type HttpContext, Param, Patch, Post, Put, Query } from 'svc-decorators'
import svcOpenapi from 'svc-openapi'
import svcOrm, { type Changes, type CrudQuery, crud, defineEntity, type NewOf, type OrmPort, type RowOf } from 'svc-orm'
import t from 'tap'
import { rawExchange } from '../support/raw-http.ts'
import { startApp } from '../support/start-app.ts'

const Seat = defineEntity({
  name: 'Seat',
  key: ['hall', 'place'],
  schema: {
    hall: { type: 'string', maxLength: 20 },
    place: { type: 'integer', check: { min: 1 } },
    guest: { type: 'string', nullable: true }
  },
  version: true
})

const path = '/api/seats'
const { routes, page, found, whole } = crud(Seat)

@controller(path)
class SeatsController {
  readonly #seats

  constructor({ orm }: { orm: OrmPort }) {
    this.#seats = orm.repository(Seat)
  }

  @Get('/', routes.list)
  list(@Query() query: CrudQuery) {
    return page(this.#seats, query)
  }

  @Post('/', routes.create)
  async create(@Body() values: NewOf<typeof Seat>, @Ctx() { reply }: HttpContext) {
    const row = await this.#seats.create(values)
    reply.code(201).header('location', `${path}/${row.id.replaceAll(',', '/')}`)
    return row
  }

  @Get('/:hall/:place', routes.read)
  async read(@Param('hall') hall: string, @Param('place') place: number) {
    return found(await this.#seats.findOne({ hall, place }))
  }

  @Put('/:hall/:place', routes.replace)
  async replace(@Ctx() { request }: HttpContext, @Body() values: NewOf<typeof Seat>) {
    return found(await this.#seats.updateOne(request.params as object, whole(values)))
  }

  @Patch('/:hall/:place', routes.change)
  async change(@Ctx() { request }: HttpContext, @Body() changes: Changes<RowOf<typeof Seat>>) {
    return found(await this.#seats.updateOne(request.params as object, changes))
  }

  @Delete('/:hall/:place', routes.remove)
  async remove(@Ctx() { request, reply }: HttpContext) {
    found(await this.#seats.findOneAndDelete(request.params as object))
    reply.code(204)
  }
}

const started = await startApp(t, {
  mode: 'test',
  security: false,
  modules: [
    [svcOpenapi, {}],
    [svcOrm, { memory: true, parts: { entities: [Seat] } }]
  ],
  controllers: [SeatsController]
})

async function ask(method: string, target: string, body?: object) {
  const content = body === undefined ? '' : JSON.stringify(body)
  const headers = ['host: localhost', 'connection: close']
  if (body !== undefined)
    headers.push('content-type: application/json', `content-length: ${Buffer.byteLength(content)}`)
  const request = `${method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${content}`
  const answer = await rawExchange(started.port, Buffer.from(request))
  return {
    status: answer.status,
    location: answer.headers.location,
    body: answer.body === '' ? null : JSON.parse(answer.body)
  }
}

t.test('a row through its life', async (t) => {
  const at = `${path}/b%2F%C3%BC%2C/7`
  const row = { id: 'b%2F%C3%BC%2C,7', hall: 'b/ü,', place: 7, guest: null, version: 1 }
  t.strictSame(await ask('POST', path, { hall: 'b/ü,', place: 7 }), { status: 201, location: at, body: row })
  t.match(await ask('POST', path, { hall: 'b/ü,', place: 7 }), { status: 409, body: { code: 'SVC_ORM_UNIQUE' } })
  t.match(await ask('POST', path, { hall: 'a' }), { status: 400 })
  t.match(await ask('GET', at), { status: 200, body: row })
  const ann = { ...row, guest: 'Ann', version: 2 }
  t.match(await ask('PATCH', at, { guest: 'Ann', version: 1 }), { status: 200, body: ann })
  t.match(await ask('PATCH', at, { guest: 'Ben', version: 1 }), { status: 409, body: { code: 'SVC_ORM_VERSION' } })
  t.match(await ask('PATCH', at, { place: 8 }), { status: 400, body: { code: 'SVC_ORM_VALUE' } })
  t.match(await ask('PUT', at, { guest: 'Cid' }), { status: 200, body: { ...row, guest: 'Cid', version: 3 } })
  t.match(await ask('GET', `${path}?place=7&order=id:DESC`), {
    status: 200,
    body: { total: 1, items: [{ guest: 'Cid' }] }
  })
  t.match(await ask('DELETE', at), { status: 204, body: null })
  t.match(await ask('DELETE', at), { status: 404, body: { code: 'SVC_ORM_NOT_FOUND' } })
})

t.test('keys that name no row', async (t) => {
  await started.fastify.orm.repository(Seat).create({ hall: 'a', place: 1 })
  const cases = [
    ['/a/1', 200],
    ['/a/2', 404],
    ['/A/1', 404],
    ['/a/01', 200],
    ['/a/1.5', 400],
    ['/a/one', 400],
    ['/a/0', 400],
    ['/a/9007199254740993', 400],
    [`/${'a'.repeat(21)}/1`, 400],
    ['/a%00/1', 400],
    ['/%7B%22$ne%22:1%7D/1', 404],
    ['/a,1', 404],
    ['/a', 404],
    ['/a/1/', 404]
  ] as const
  for (const [target, status] of cases) {
    for (const method of ['GET', 'PATCH']) {
      const answer = await ask(method, `${path}${target}`, method === 'PATCH' ? {} : undefined)
      t.equal(answer.status, status, `${method} ${target}: ${JSON.stringify(answer.body)}`)
    }
  }
})

t.test('the document names each field of the key', async (t) => {
  const { paths } = started.fastify.swagger() as unknown as {
    paths: Record<
      string,
      Record<string, { parameters?: { name: string; in: string; required: boolean; schema: object }[] }>
    >
  }
  const operations = paths[`${path}/{hall}/{place}`] ?? {}
  t.strictSame(Object.keys(operations).sort(), ['delete', 'get', 'patch', 'put'])
  for (const { parameters } of Object.values(operations)) {
    t.strictSame(parameters, [
      { name: 'hall', in: 'path', required: true, schema: { type: 'string', maxLength: 20 } },
      {
        name: 'place',
        in: 'path',
        required: true,
        schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
      }
    ])
  }
})
