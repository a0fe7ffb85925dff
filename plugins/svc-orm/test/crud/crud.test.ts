/** A REST resource made of `crud`, asked over HTTP: pages, filters, order, bodies, what is not there. */
import assert from 'node:assert/strict'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import { errorBody } from 'svc-kernel'
import t, { type Test } from 'tap'
import svcOrm, { type Changes, type CrudQuery, crud, defineEntity, type NewOf, type RowOf } from '../../src/index.ts'

const Book = defineEntity({
  name: 'Book',
  schema: {
    title: { type: 'string', maxLength: 20 },
    body: { type: 'text', default: '' },
    pages: { type: 'integer', nullable: true },
    price: { type: 'float', nullable: true },
    sold: { type: 'boolean', default: false },
    due: { type: 'date', nullable: true },
    tags: { type: 'string', array: true, nullable: true },
    extra: { type: 'json', nullable: true },
    isbn: { type: 'string', unique: true, nullable: true },
    day: { type: 'day', nullable: true },
    token: { type: 'uuid', nullable: true, hidden: false },
    state: { type: 'enum', values: ['new', 'used'], nullable: true },
    cost: { type: 'decimal', scale: 2, nullable: true },
    views: { type: 'bigint', nullable: true },
    stars: { type: 'integer', nullable: true, check: { min: 1, max: 5 } },
    cover: { type: 'bytes', nullable: true, maxLength: 4 },
    size: { type: 'json', nullable: true, schema: { type: 'object', required: ['cm'] } }
  },
  timestamps: true
})

const { routes, page, found, whole } = crud(Book)

async function serve(t: Test): Promise<FastifyInstance> {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  fastify.setErrorHandler((error, _request, reply) => {
    const body = errorBody(error, true)
    reply.code(body.statusCode).send(body)
  })
  await fastify.register(svcOrm, { memory: true, parts: { entities: [Book] } })
  const rows = () => fastify.orm.repository(Book)
  type Id = { Params: { id: string } }
  fastify.get<{ Querystring: CrudQuery }>('/', routes.list, ({ query }) => page(rows(), query))
  fastify.get<Id>('/:id', routes.read, async ({ params }) => found(await rows().findOne({ id: params.id })))
  fastify.post<{ Body: NewOf<typeof Book> }>('/', routes.create, async ({ body }, reply) => {
    reply.code(201)
    return rows().create(body)
  })
  fastify.put<Id & { Body: NewOf<typeof Book> }>('/:id', routes.replace, async ({ params, body }) =>
    found(await rows().updateOne({ id: params.id }, whole(body)))
  )
  fastify.patch<Id & { Body: Changes<RowOf<typeof Book>> }>('/:id', routes.change, async ({ params, body }) =>
    found(await rows().updateOne({ id: params.id }, body))
  )
  fastify.delete<Id>('/:id', routes.remove, async ({ params }, reply) => {
    found(await rows().findOneAndDelete({ id: params.id }))
    reply.code(204)
  })
  await fastify.ready()
  return fastify
}

async function withBooks(t: Test): Promise<FastifyInstance> {
  const fastify = await serve(t)
  await fastify.orm.repository(Book).createMany([
    { title: 'a', pages: 3, tags: ['x'], due: '2026-01-01T00:00:00Z' },
    { title: 'b', pages: 1, sold: true, price: 1.5 },
    { title: 'c', pages: 1, tags: ['x', 'y'] }
  ])
  return fastify
}

t.test('a row through its life', async (t) => {
  const fastify = await serve(t)
  const created = await fastify.inject({
    method: 'POST',
    url: '/',
    body: { title: 'One', due: '2026-05-01T02:00:00+02:00', tags: ['x'], extra: { deep: [1] } }
  })
  t.equal(created.statusCode, 201)
  const row = created.json()
  t.match(row, {
    title: 'One',
    body: '',
    pages: null,
    sold: false,
    due: '2026-05-01T00:00:00.000Z',
    tags: ['x'],
    extra: { deep: [1] },
    createdAt: row.updatedAt
  })
  const url = `/${row.id}`
  t.strictSame((await fastify.inject(url)).json(), row)

  const patched = await fastify.inject({ method: 'PATCH', url, body: { pages: 7 } })
  t.match(patched.json(), { title: 'One', pages: 7, tags: ['x'] }, 'the rest stays')
  t.match((await fastify.inject({ method: 'PATCH', url, body: {} })).json(), { pages: 7 })

  const replaced = await fastify.inject({ method: 'PUT', url, body: { title: 'Two' } })
  t.match(replaced.json(), { id: row.id, title: 'Two', pages: null, tags: null, extra: null, due: null })
  const back = await fastify.inject({ method: 'PUT', url, body: row })
  t.equal(back.statusCode, 200, 'a row may be sent back as it was read')
  t.match(back.json(), { title: 'One', tags: ['x'], createdAt: row.createdAt })

  const removed = await fastify.inject({ method: 'DELETE', url })
  t.equal(removed.statusCode, 204)
  t.equal(removed.body, '')
  for (const method of ['GET', 'DELETE', 'PATCH'] as const) {
    const gone = await fastify.inject({ method, url, ...(method === 'PATCH' ? { body: {} } : {}) })
    t.match(
      gone.json(),
      { statusCode: 404, code: 'SVC_ORM_NOT_FOUND', message: 'there is no Book with this id' },
      method
    )
  }
  t.equal((await fastify.inject('/no-such-form')).statusCode, 404, 'a wrong form of id finds nothing')
})

const lists: ReadonlyArray<readonly [query: string, titles: string, rest?: object]> = [
  ['', 'abc', { limit: 25, offset: 0, hasNext: false, total: 3 }],
  ['limit=2', 'ab', { limit: 2, hasNext: true, total: 3 }],
  ['limit=2&offset=2', 'c', { offset: 2, hasNext: false, total: 3 }],
  ['offset=9', '', { hasNext: false, total: 3 }],
  ['limit=0', 'a', { limit: 1 }],
  ['limit=5000', 'abc', { limit: 100 }],
  ['order=title:DESC', 'cba'],
  ['order=pages:ASC&order=title:DESC', 'cba'],
  ['pages=1', 'bc', { total: 2 }],
  ['pages=1&limit=1', 'b', { hasNext: true, total: 2 }],
  ['pages=1&sold=false', 'c'],
  ['price=1.5', 'b'],
  ['tags=y', 'c'],
  ['due=2026-01-01T01:00:00%2B01:00', 'a'],
  ['title=', ''],
  ['title=%25', '', { total: 0 }],
  ['id=nothing', '']
]

for (const [query, titles, rest = {}] of lists) {
  t.test(`GET /?${query}`, async (t) => {
    const fastify = await withBooks(t)
    const answer = await fastify.inject(`/?${query}`)
    t.equal(answer.statusCode, 200, answer.body)
    const { items, ...others } = answer.json<{ items: { title: string }[] }>()
    t.equal(items.map(({ title }) => title).join(''), titles)
    t.match(others, rest)
    t.strictSame(Object.keys(answer.json()), ['items', 'limit', 'offset', 'hasNext', 'total'])
  })
}

const refused: ReadonlyArray<readonly [query: string, path: string, message: RegExp]> = [
  ['tilte=a', '/tilte', /not a known key/],
  ['extra=1', '/extra', /not a known key/],
  ['limit=many', '/limit', /integer/],
  ['limit=1.5', '/limit', /integer/],
  ['offset=-1', '/offset', />= 0/],
  ['order=name:ASC', '/order/0', /must be one of id:ASC, id:DESC, title:ASC/],
  ['order=title', '/order/0', /must be one of/],
  ['order=tags:ASC', '/order/0', /must be one of/],
  ['pages=x', '/pages', /integer/],
  ['sold=maybe', '/sold', /boolean/],
  ['due=tomorrow', '/due', /ISO 8601/],
  ['day=2026-1-1', '/day', /YYYY-MM-DD/],
  ['token=x', '/token', /a UUID/],
  ['state=old', '/state', /one of new, used/],
  ['title=a&title=b', '/title', /string/],
  ['title[$ne]=a', '/title[$ne]', /not a known key/]
]

for (const [query, path, message] of refused) {
  t.test(`GET /?${query} is refused`, async (t) => {
    const fastify = await serve(t)
    const answer = await fastify.inject(`/?${query}`)
    t.match(answer.json(), { statusCode: 400, code: 'SVC_HTTP_VALIDATION', details: [{ path, message }] })
  })
}

t.test('a field that sorts twice', async (t) => {
  const fastify = await serve(t)
  t.match((await fastify.inject('/?order=title:ASC&order=title:DESC')).json(), {
    statusCode: 400,
    code: 'SVC_ORM_OPTIONS'
  })
})

const bodies: ReadonlyArray<readonly [what: string, body: object, paths: string[]]> = [
  ['nothing that is required', {}, ['/title']],
  ['null', { title: null }, ['/title']],
  ['a number for a text', { title: 5 }, ['/title']],
  ['a text for a number', { title: 'a', pages: '5' }, ['/pages']],
  ['too long', { title: 'x'.repeat(21) }, ['/title']],
  ['an unknown field', { title: 'a', titel: 'b' }, ['/titel']],
  ['an operator', { title: 'a', $max: { pages: 3 } }, ['/$max']],
  ['an id of its own', { title: 'a', id: 'mine' }, ['/id']],
  ['a day without a time', { title: 'a', due: '2026-01-01' }, ['/due']],
  ['items of another type', { title: 'a', tags: ['x', 1] }, ['/tags/1']],
  ['no day of the calendar', { title: 'a', day: '2026-02-30' }, ['/day']],
  ['a number for an exact one', { title: 'a', cost: 1.5, views: 3 }, ['/cost', '/views']],
  ['too many decimals', { title: 'a', cost: '1.505' }, ['/cost']],
  ['more than 64 bits', { title: 'a', views: '9223372036854775808' }, ['/views']],
  ['no uuid', { title: 'a', token: 'x' }, ['/token']],
  ['no base64', { title: 'a', cover: 'AQI' }, ['/cover']],
  ['too many bytes', { title: 'a', cover: 'AQIDBAUGBw==' }, ['/cover']],
  ['no value of an enum', { title: 'a', state: 'old' }, ['/state']],
  ['a number out of bounds', { title: 'a', stars: 6 }, ['/stars']],
  ['several at once', { pages: 1.5, sold: 'no' }, ['/title', '/pages', '/sold']]
]

for (const [what, body, paths] of bodies) {
  t.test(`a body with ${what} is refused`, async (t) => {
    const fastify = await serve(t)
    const answer = await fastify.inject({ method: 'POST', url: '/', body })
    t.equal(answer.statusCode, 400)
    t.strictSame(
      answer.json().details.map(({ path }: { path: string }) => path),
      paths
    )
    t.equal(await fastify.orm.repository(Book).count(), 0)
  })
}

t.test('D8: what a row lacks is answered as null, never as a value that nobody gave', async (t) => {
  const schema = {
    sku: { type: 'string' },
    qty: { type: 'integer' },
    price: { type: 'float' },
    sold: { type: 'boolean' },
    due: { type: 'date' },
    tags: { type: 'string', array: true },
    extra: { type: 'json' }
  } as const
  const { routes } = crud(defineEntity({ name: 'Old', schema, timestamps: true }))
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  const lacking = Object.fromEntries([...Object.keys(schema), 'createdAt', 'updatedAt'].map((name) => [name, null]))
  const row = { id: 'x', ...lacking }
  fastify.get('/', { schema: { response: routes.list.schema.response } }, () => ({ items: [row], total: 1 }))
  fastify.get('/x', { schema: { response: routes.read.schema.response } }, () => row)
  t.strictSame((await fastify.inject('/x')).json(), row)
  t.strictSame((await fastify.inject('/')).json(), { items: [row], total: 1 })
})

t.test('exact numbers are text in JSON, in bodies, answers and filters', async (t) => {
  const fastify = await serve(t)
  const sent = { title: 'a', cost: '12.5', views: '9007199254740993' }
  const { id, ...row } = (await fastify.inject({ method: 'POST', url: '/', body: sent })).json()
  t.match(row, { cost: '12.50', views: '9007199254740993' })
  const same = await fastify.inject({ method: 'PUT', url: `/${id}`, body: row })
  t.match([same.statusCode, same.json()], [200, { cost: '12.50' }])
  t.equal((await fastify.inject('/?cost=12.5&views=9007199254740993')).json().total, 1)
  t.equal((await fastify.inject('/?order=cost:DESC')).json().items[0].cost, '12.50')
})

t.test('bytes are base64 in JSON, in bodies and answers, and in no filter', async (t) => {
  const fastify = await serve(t)
  const { id, ...row } = (
    await fastify.inject({ method: 'POST', url: '/', body: { title: 'a', cover: 'AP8=' } })
  ).json()
  t.equal(row.cover, 'AP8=')
  t.strictSame((await fastify.orm.repository(Book).findOne({ id }))?.cover?.join(), '0,255')
  t.equal((await fastify.inject({ method: 'PUT', url: `/${id}`, body: row })).json().cover, 'AP8=')
  t.equal((await fastify.inject('/')).json().items[0].cover, 'AP8=')
  const long = await fastify.inject({ method: 'PATCH', url: `/${id}`, body: { cover: 'AQIDBAU=' } })
  t.match([long.statusCode, long.json().message], [400, 'cover: expected at most 4 bytes'])
  t.equal((await fastify.inject('/?cover=AP8%3D')).statusCode, 400)
  t.equal((await fastify.inject('/?order=cover:ASC')).statusCode, 400)
})

t.test('json that its own schema refuses', async (t) => {
  const fastify = await serve(t)
  const answer = await fastify.inject({ method: 'POST', url: '/', body: { title: 'a', size: { inch: 3 } } })
  t.match(answer.json(), { statusCode: 400, code: 'SVC_ORM_VALUE', message: /size.*required property 'cm'/ })
  const kept = await fastify.inject({ method: 'POST', url: '/', body: { title: 'a', size: { cm: 3, state: null } } })
  t.match([kept.statusCode, kept.json()], [201, { size: { cm: 3, state: null } }])
})

t.test('C9: a taken unique value is a conflict that names its field', async (t) => {
  const fastify = await serve(t)
  const post = (title: string) => fastify.inject({ method: 'POST', url: '/', body: { title, isbn: '1' } })
  t.equal((await post('a')).statusCode, 201)
  t.match((await post('b')).json(), {
    statusCode: 409,
    code: 'SVC_ORM_UNIQUE',
    message: 'another row of Book has the same isbn',
    details: [{ path: '/isbn', message: 'is held by another row' }]
  })
})

t.test('required json is anything but null; a filter cannot hold operators even without its schema', async (t) => {
  const Note = defineEntity({ name: 'Note', schema: { data: { type: 'json' }, limit: { type: 'integer' } } })
  const notes = crud(Note)
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { memory: true, parts: { entities: [Note] } })
  fastify.post<{ Body: NewOf<typeof Note> }>('/', notes.routes.create, ({ body }) =>
    fastify.orm.repository(Note).create(body)
  )
  await fastify.ready()
  const status = async (data: unknown) =>
    (await fastify.inject({ method: 'POST', url: '/', body: { data, limit: 1 } })).statusCode
  for (const data of [0, '', false, [], {}]) t.equal(await status(data), 200, JSON.stringify(data))
  t.equal(await status(null), 400)
  const rows = fastify.orm.repository(Note)
  await t.rejects(notes.page(rows, { id: { $ne: null } }), { code: 'SVC_ORM_CRITERIA' })
  t.match(
    notes.routes.list.schema,
    { querystring: { properties: { limit: { default: 25 } } } },
    'paging keeps its parameter'
  )
})

t.test('R5: a body of unknown keys is answered in few details', async (t) => {
  const fastify = await serve(t)
  const many = (length: number) => Object.fromEntries(Array.from({ length }, (_, n) => [`key${n}`, 0]))
  const some = await fastify.inject({ method: 'POST', url: '/', payload: many(500) })
  t.equal(some.json().details.length, 20)
  t.match(some.json().message, /more faults are not listed$/)
  const large = await fastify.inject({ method: 'POST', url: '/', payload: many(60_000) })
  t.equal(large.statusCode, 400)
  t.ok(large.body.length < 1024, 'of a large body the first fault is told')
})

t.test('a schema that the application puts in the place of ours stops the start with its mistake', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  const schema = { ...routes.list.schema, querystring: { $ref: 'nowhere#' } }
  fastify.get('/', { ...routes.list, schema }, () => [])
  await t.rejects(async () => fastify.ready(), { code: 'FST_ERR_SCH_VALIDATION_BUILD' })
})

t.test('of our own schemas a start compiles none', async (t) => {
  const reads = (part: object): boolean => routes.list.validatorCompiler({ schema: part } as never).length === 1
  const unreadable = new Proxy({}, { ownKeys: () => assert.fail('it was read') })
  t.throws(() => reads(unreadable), 'what is not ours is compiled at once')
  const { querystring } = routes.list.schema as { querystring: { properties: Record<string, unknown> } }
  t.teardown(() => Reflect.deleteProperty(querystring.properties, 'trap'))
  Object.defineProperty(querystring.properties, 'trap', {
    get: () => assert.fail('it was read'),
    enumerable: true,
    configurable: true
  })
  t.ok(reads(querystring))
})

t.test('fields that the server fills in are answered, and refused in bodies', async (t) => {
  const Post = defineEntity({
    name: 'Post',
    schema: { title: { type: 'string' }, owner: { type: 'string' }, state: { type: 'string', default: 'draft' } },
    softDelete: true,
    version: true
  })
  const posts = crud(Post, { filled: ['owner', 'state'] })
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { memory: true, parts: { entities: [Post] } })
  const rows = () => fastify.orm.repository(Post)
  type Body = Omit<NewOf<typeof Post>, 'owner' | 'state'>
  fastify.post<{ Body: Body }>('/', posts.routes.create, async ({ body }, reply) => {
    reply.code(201)
    return rows().create({ ...body, owner: 'ann' })
  })
  type Id = { Params: { id: string } }
  fastify.put<Id & { Body: Body }>('/:id', posts.routes.replace, async ({ params, body }) =>
    posts.found(await rows().updateOne({ id: params.id }, posts.whole(body)))
  )
  fastify.patch<Id & { Body: Changes<RowOf<typeof Post>> }>('/:id', posts.routes.change, async ({ params, body }) =>
    posts.found(await rows().updateOne({ id: params.id }, body))
  )
  await fastify.ready()
  const send = (method: 'POST' | 'PUT' | 'PATCH', url: string, payload: object) =>
    fastify.inject({ method, url, payload })
  const created = await send('POST', '/', { title: 'a' })
  const { id } = created.json<{ id: string }>()
  t.strictSame(created.json(), { id, title: 'a', owner: 'ann', state: 'draft', version: 1 })
  for (const [method, url] of [
    ['POST', '/'],
    ['PUT', `/${id}`],
    ['PATCH', `/${id}`]
  ] as const) {
    const refused = await send(method, url, { title: 'b', owner: 'eve' })
    t.equal(refused.statusCode, 400, method)
  }
  await rows().updateOne({ id }, { state: 'open' })
  const replaced = await send('PUT', `/${id}`, { title: 'c', version: 2 })
  t.strictSame(replaced.json(), { id, title: 'c', owner: 'ann', state: 'open', version: 3 })
  const late = await send('PATCH', `/${id}`, { title: 'd', version: 2 })
  t.equal(late.statusCode, 409)
  t.match(late.json(), { code: 'SVC_ORM_VERSION' })
  t.throws(() => crud(Post, { filled: ['nope' as never] }), { code: 'SVC_ORM_UNKNOWN_FIELD' })
})
