/** Hidden fields: no generated answer, filter, order or document has them, and no body sets them unless the entity says so. */
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import { errorBody } from 'svc-kernel'
import t, { type Test } from 'tap'
import { compileEntities } from '../../src/driver.ts'
import svcOrm, {
  type Changes,
  type CrudQuery,
  crud,
  defineEntity,
  type EntityDefinition,
  type NewOf,
  type RowOf
} from '../../src/index.ts'

const Team = defineEntity({ name: 'Team', schema: { title: { type: 'string' }, joinToken: { type: 'string' } } })

const Account = defineEntity({
  name: 'Account',
  schema: {
    mail: { type: 'string', unique: true },
    passwordHash: { type: 'string', default: 'none' },
    apiKey: { type: 'string', nullable: true, default: 'k0' },
    note: { type: 'text', nullable: true, hidden: true },
    phrase: { type: 'string', hidden: 'write-only' },
    hint: { type: 'string', hidden: 'write-only', default: 'h0' },
    pinned: { type: 'boolean', default: false },
    passwordChangedAt: { type: 'date', nullable: true },
    publicToken: { type: 'string', nullable: true, hidden: false }
  },
  relations: { team: { type: 'many-to-one', target: 'Team', nullable: true } }
})

const HIDDEN = ['passwordHash', 'apiKey', 'note', 'phrase', 'hint']
const SHOWN = ['id', 'mail', 'pinned', 'passwordChangedAt', 'publicToken', 'teamId']
const { routes, page, found, whole } = crud(Account)

interface Row {
  readonly id: string
  readonly [name: string]: unknown
}

async function serve(t: Test): Promise<FastifyInstance> {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  fastify.setErrorHandler((error, _request, reply) => {
    const body = errorBody(error, true)
    reply.code(body.statusCode).send(body)
  })
  await fastify.register(svcOrm, { memory: true, parts: { entities: [Account, Team] } })
  const rows = () => fastify.orm.repository(Account)
  type Id = { Params: { id: string } }
  fastify.get<{ Querystring: CrudQuery }>('/', routes.list, ({ query }) => page(rows(), query))
  // As an application may have it: the query is not validated, and the answer has no schema.
  fastify.get<{ Querystring: CrudQuery }>('/bare', ({ query }) => page(rows(), query))
  fastify.get<Id>('/:id', routes.read, async ({ params }) => found(await rows().findOne({ id: params.id })))
  fastify.post<{ Body: NewOf<typeof Account> }>('/', routes.create, async ({ body }, reply) =>
    reply.code(201).send(await rows().create(body))
  )
  fastify.put<Id & { Body: NewOf<typeof Account> }>('/:id', routes.replace, async ({ params, body }) =>
    found(await rows().updateOne({ id: params.id }, whole(body)))
  )
  fastify.patch<Id & { Body: Changes<RowOf<typeof Account>> }>('/:id', routes.change, async ({ params, body }) =>
    found(await rows().updateOne({ id: params.id }, body))
  )
  await fastify.ready()
  const values = { passwordHash: 'argon', apiKey: 'k1', note: 'private', phrase: 'sesame', publicToken: 'shown' }
  await fastify.orm.repository('Account').create({ ...values, mail: 'a@b.c' })
  return fastify
}

const stored = async (fastify: FastifyInstance, mail = 'a@b.c') => {
  const [row] = await fastify.orm.repository<Row>('Account').find({ mail })
  if (row === undefined) throw new Error('it is there')
  return row
}

t.test('X3: no answer has a hidden field, whatever serialises it', async (t) => {
  const fastify = await serve(t)
  const { id } = await stored(fastify)
  const names = (answer: { json(): Record<string, unknown> }) => Object.keys(answer.json())
  t.strictSame(names(await fastify.inject(`/${id}`)), SHOWN)
  for (const url of ['/', '/bare']) {
    const [row] = (await fastify.inject(url)).json<{ items: [object] }>().items
    t.strictSame(Object.keys(row), SHOWN, url)
  }
  const body = { mail: 'd@e.f', phrase: 'sesame' }
  t.strictSame(names(await fastify.inject({ method: 'POST', url: '/', body })), SHOWN)
  t.strictSame(names(await fastify.inject({ method: 'PATCH', url: `/${id}`, body: { phrase: 'x' } })), SHOWN)
})

t.test('X3: a hidden field is neither filter nor order, and so tells nothing by what is found', async (t) => {
  const fastify = await serve(t)
  for (const name of [...HIDDEN, 'team.joinToken']) {
    for (const query of [{ [name]: 'argon' }, { order: `${name}:ASC` }, { order: [`${name}:DESC`] }]) {
      const what = JSON.stringify(query)
      t.equal((await fastify.inject({ url: '/', query })).statusCode, 400, what)
      const order = 'order' in query ? { order: [query.order].flat() } : query
      await t.rejects(
        page(fastify.orm.repository(Account), order as CrudQuery),
        { code: 'SVC_ORM_UNKNOWN_FIELD' },
        what
      )
    }
  }
  t.equal((await fastify.inject('/?publicToken=shown&order=passwordChangedAt:ASC')).json().total, 1)
  const { message } = (await fastify.inject('/?order=passwordHash:ASC')).json()
  t.notMatch(String(message), /apiKey|phrase/, 'what is refused names no other')
})

t.test('X3: bodies set no hidden field, but for one that is write-only', async (t) => {
  const fastify = await serve(t)
  const { id } = await stored(fastify)
  const requests = [
    { method: 'POST', url: '/', body: { mail: 'x@y.z', phrase: 'p' } },
    { method: 'PUT', url: `/${id}`, body: { mail: 'a@b.c' } },
    { method: 'PATCH', url: `/${id}`, body: {} }
  ] as const
  for (const { method, url, body } of requests) {
    for (const name of ['passwordHash', 'apiKey', 'note']) {
      const refused = await fastify.inject({ method, url, body: { ...body, [name]: 'mine' } })
      t.equal(refused.statusCode, 400, `${method} ${name}`)
    }
    t.ok((await fastify.inject({ method, url, body: { ...body, phrase: `by ${method}` } })).statusCode < 300, method)
  }
  t.match(await stored(fastify), { passwordHash: 'argon', apiKey: 'k1', note: 'private', phrase: 'by PATCH' })
  t.match(await stored(fastify, 'x@y.z'), { passwordHash: 'none', apiKey: 'k0', note: null, phrase: 'by POST' })
})

t.test('X3: a row that is sent back as it was read keeps its hidden values', async (t) => {
  const fastify = await serve(t)
  const before = await stored(fastify)
  const row = (await fastify.inject(`/${before.id}`)).json()
  t.equal((await fastify.inject({ method: 'PUT', url: `/${before.id}`, body: row })).statusCode, 200)
  t.strictSame(await stored(fastify), before)
  const without = await fastify.inject({ method: 'POST', url: '/', body: { mail: 'x@y.z' } })
  t.match(without.json(), { statusCode: 400 }, 'a new one needs what is required')
})

t.test('X3: no document of the routes names a hidden field; one that is write-only is in bodies alone', async (t) => {
  const { list, read, create, replace, change } = routes
  const text = JSON.stringify([list, read, create, replace, change].map(({ schema }) => schema))
  for (const name of ['passwordHash', 'apiKey', 'note']) t.notMatch(text, name)
  t.notMatch(text, /k0|none|h0/, 'nor its default')
  const answers = [list, read, create, replace, change].map(({ schema }) => [schema.response, schema.querystring])
  t.notMatch(JSON.stringify(answers), 'phrase')
  t.match(create.schema.body, {
    properties: { phrase: { type: 'string', writeOnly: true } },
    required: ['mail', 'phrase']
  })
  t.match(replace.schema.body, { required: ['mail'] })
})

t.test('X3: a repository has every field, also as criterion and order', async (t) => {
  const fastify = await serve(t)
  const accounts = fastify.orm.repository<Row>('Account')
  const [row] = await accounts.find({ passwordHash: 'argon' }, { order: [['phrase', 'ASC']] })
  t.match(row, { passwordHash: 'argon', apiKey: 'k1', note: 'private', phrase: 'sesame' })
})

t.test('X3: hidden is true, false or write-only', async (t) => {
  const problems = (hidden: unknown) => {
    const definition = { name: 'A', schema: { a: { type: 'string', hidden } } } as EntityDefinition
    return compileEntities([{ definition, place: null }], 'default').problems
  }
  for (const hidden of [true, false, 'write-only']) t.strictSame(problems(hidden), [])
  for (const hidden of ['yes', null, 1]) t.equal(problems(hidden).length, 1, String(hidden))
})
