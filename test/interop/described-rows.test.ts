/** Generated routes of an entity with every type of field: their answers fit the document, which says what the entity declares. */
import Fastify from 'fastify'
import svcOpenapi from 'svc-openapi'
import svcOrm, { type CrudQuery, crud, defineEntity } from 'svc-orm'
import t from 'tap'
import { DescribedApi } from '../support/described-api.ts'

const given = {
  string: ['a', { type: 'string' }],
  text: ['b', { type: 'text' }],
  integer: [1, { type: 'integer' }],
  bigint: ['2', { type: 'bigint' }],
  float: [1.5, { type: 'float' }],
  decimal: ['1.50', { type: 'decimal', scale: 2 }],
  boolean: [true, { type: 'boolean' }],
  date: ['2026-01-01T00:00:00.000Z', { type: 'date' }],
  day: ['2026-01-01', { type: 'day' }],
  uuid: ['0190a6a0-0000-7000-8000-000000000000', { type: 'uuid' }],
  enum: ['new', { type: 'enum', values: ['new', 'old'] }],
  json: [{ a: [null, 1] }, { type: 'json' }],
  bytes: ['AQID', { type: 'bytes' }],
  list: [['a'], { type: 'string', array: true }]
} as const

const always = Object.entries(given)
const schema = Object.fromEntries(
  always.flatMap(([name, [, definition]]) => [
    [name, definition],
    [`${name}OrNull`, { ...definition, nullable: true }]
  ])
)
const Thing = defineEntity({ name: 'Thing', schema: schema as never, timestamps: true })

t.test('P4: rows are as the document says', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOpenapi)
  await fastify.register(svcOrm, { memory: true, parts: { entities: [Thing] } })
  const { routes, page, found } = crud(Thing)
  const things = () => fastify.orm.repository<{ id: string }>('Thing')
  const named = (name: string, route: object) => ({
    ...route,
    schema: { operationId: name, ...(route as { schema: object }).schema }
  })
  fastify.get('/things', named('list', routes.list), ({ query }) => page(things(), query as CrudQuery))
  fastify.get<{ Params: { id: string } }>('/things/:id', named('read', routes.read), async ({ params }) =>
    found(await things().findOne({ id: params.id }))
  )
  fastify.post('/things', named('create', routes.create), async ({ body }, reply) => {
    reply.code(201)
    return things().create(body as never)
  })
  await fastify.ready()

  const document = fastify.swagger() as unknown as {
    paths: Record<string, { get: { responses: Record<string, { content: Record<string, { schema: Row }> }> } }>
  }
  const row = document.paths['/things/{id}']?.get.responses[200]?.content['application/json']?.schema
  t.strictSame(
    [...(row?.required ?? [])].sort(),
    ['id', 'createdAt', 'updatedAt', ...Object.keys(schema)].sort(),
    'a row has all its fields'
  )
  const nullable = Object.entries(row?.properties ?? {}).filter(([, { type }]) => [type].flat().includes('null'))
  t.strictSame(nullable.map(([name]) => name).sort(), always.map(([name]) => `${name}OrNull`).sort())

  const api = new DescribedApi(document)
  const ask = async (name: string, method: 'GET' | 'POST', url: string, body?: object) => {
    const answer = await fastify.inject({ method, url, ...(body === undefined ? {} : { body }) })
    const type = String(answer.headers['content-type']).split(';', 1)[0] ?? ''
    t.strictSame(api.faults(name, { status: answer.statusCode, type, body: answer.body }), [], `${method} ${url}`)
    return answer
  }
  const values = Object.fromEntries(always.map(([name, [value]]) => [name, value]))
  const whole = Object.fromEntries(
    always.flatMap(([name, [value]]) => [
      [name, value],
      [`${name}OrNull`, value]
    ])
  )
  for (const body of [values, whole]) {
    const answer = await ask('create', 'POST', '/things', body)
    t.equal(answer.statusCode, 201, answer.body)
    t.match(answer.json(), body)
    t.equal((await ask('read', 'GET', `/things/${answer.json().id}`)).statusCode, 200)
  }
  t.equal((await ask('list', 'GET', '/things')).json().total, 2)
  t.equal((await ask('list', 'GET', '/things?nothing=1')).statusCode, 400)
  t.equal((await ask('create', 'POST', '/things', {})).statusCode, 400)
  t.equal((await ask('read', 'GET', '/things/none')).statusCode, 404)
})

interface Row {
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, { readonly type?: string | readonly string[] }>>
}
