/**
 * Entities on the foreign driver: the published suite of repositories, and routes of `crud` over HTTP, also after a restart.
 * In the long run: every change is written to a file.
 */
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import svcOrm, { type Changes, type CrudQuery, crud, defineEntity, type NewOf, type RowOf } from 'svc-orm'
import { ormConformance } from 'svc-orm/conformance'
import { EntityRepositories } from 'svc-orm/driver'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { startApp } from '../../support/start-app.ts'
import { FileDatabase } from './file-database.ts'
import mapfile from './mapfile.ts'

t.setTimeout(600_000)

t.test('the published suite of repositories', (t) =>
  ormConformance(t, {
    async open(entities) {
      const database = new FileDatabase(join(t.testdir({}), 'suite.json'), new ManualClock())
      const repositories = new EntityRepositories({ database, entities })
      await database.open()
      return repositories
    },
    close: (database) => (database as FileDatabase).close()
  })
)

const Article = defineEntity({
  name: 'Article',
  schema: {
    title: { type: 'string', unique: true },
    body: { type: 'text', nullable: true },
    tags: { type: 'string', array: true },
    published: { type: 'date', nullable: true }
  }
})
const { routes, page, found } = crud(Article)

const articles = fp(async (fastify: FastifyInstance) => {
  const rows = () => fastify.orm.repository(Article)
  fastify.get('/articles', routes.list, ({ query }) => page(rows(), query as CrudQuery))
  fastify.get('/articles/:id', routes.read, async ({ params }) => found(await rows().findOne({ id: idOf(params) })))
  fastify.post('/articles', routes.create, async ({ body }, reply) => {
    reply.code(201)
    return rows().create(body as NewOf<typeof Article>)
  })
  fastify.patch('/articles/:id', routes.change, async ({ params, body }) =>
    found(await rows().updateOne({ id: idOf(params) }, body as Changes<RowOf<typeof Article>>))
  )
})

function idOf(params: unknown): string {
  return (params as { readonly id: string }).id
}

async function start(t: Test, file: string) {
  const { fastify } = await startApp(t, {
    security: false,
    before: [
      [svcOrm, { parts: { entities: [Article] } }],
      [mapfile, { file, clock: new ManualClock() }]
    ],
    modules: [articles]
  })
  const ask = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
    const response = await fastify.inject({ method, url, ...(payload === undefined ? {} : { payload }) })
    return { status: response.statusCode, body: response.json() }
  }
  return { fastify, ask }
}

t.test('an entity over HTTP', async (t) => {
  const file = join(t.testdir({}), 'articles.json')
  const before = await start(t, file)
  const published = '2024-02-29T12:00:00.123Z'
  const created = await before.ask('POST', '/articles', { title: 'one', tags: ['a', 'b'], published })
  t.match(created, { status: 201, body: { title: 'one', body: null, tags: ['a', 'b'], published } })
  t.match(await before.ask('POST', '/articles', { title: 'one', tags: [] }), {
    status: 409,
    body: { code: 'SVC_ORM_UNIQUE' }
  })
  t.equal((await before.ask('POST', '/articles', { title: 'two', tags: [] })).status, 201)
  t.equal((await before.ask('POST', '/articles', { body: 'untitled', tags: [] })).status, 400)
  await before.fastify.close()

  const { ask } = await start(t, file)
  const { id } = created.body
  t.match(await ask('GET', `/articles/${id}`), { status: 200, body: created.body })
  t.match((await ask('PATCH', `/articles/${id}`, { body: 'a text' })).body, { ...created.body, body: 'a text' })
  t.match((await ask('GET', '/articles?order=title:DESC&limit=1')).body, { total: 2, items: [{ title: 'two' }] })
  t.match((await ask('GET', '/articles?tags=b')).body, { total: 1, items: [{ id }] })
  t.match((await ask('GET', `/articles?published=${published}`)).body, { total: 1, items: [{ id }] })
  t.equal((await ask('GET', '/articles/nobody')).status, 404)
})
