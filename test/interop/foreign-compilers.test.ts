/** An application that sets compilers of Zod or TypeBox, and every plugin beside it: whose schemas are compiled by whom. */
import { once } from 'node:events'
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import { fastify as createFastify, type FastifyInstance, type FastifySchemaCompiler } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import svcAudit from 'svc-audit'
import svcDecorators, { Body, controller, Get, Param, Post, Query, WebSocket } from 'svc-decorators'
import svcOpenapi from 'svc-openapi'
import svcOps from 'svc-ops'
import svcOrm, { type CrudQuery, crud, defineEntity, type NewOf, type OrmPort } from 'svc-orm'
import svcRealtime from 'svc-realtime'
import svcSecurity from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import svcSqlorm from 'svc-sqlorm'
import svcTest from 'svc-test'
import svcWebhooks from 'svc-webhooks'
import t, { type Test } from 'tap'
import { WebSocket as Socket } from 'ws'
import { z } from 'zod'
import { AccountBook, CHEAP, PASSWORD } from '../support/account-app.ts'
import { portOf } from '../support/ports.ts'

const Book = defineEntity({ name: 'Book', schema: { title: { type: 'string', maxLength: 20 } } })
const { routes, page, found } = crud(Book)

@controller('/api/books')
class Books {
  readonly #books

  constructor({ orm }: { orm: OrmPort }) {
    this.#books = orm.repository(Book)
  }

  @Get('/', routes.list)
  @WebSocket('/', routes.list)
  list(@Query() query: CrudQuery): unknown {
    return page(this.#books, query)
  }

  @Get('/:id', routes.read)
  async read(@Param('id') id: string): Promise<unknown> {
    return { ...found(await this.#books.findOne({ id })), more: 'than the schema names' }
  }

  @Post('/', routes.create)
  create(@Body() values: NewOf<typeof Book>): unknown {
    return this.#books.create(values)
  }
}

const schema = {
  body: z.object({ title: z.string().trim().min(1) }),
  response: { 200: z.object({ title: z.string() }) }
}

/** Typed for Zod schemas alone; a setting takes compilers of any. */
const ofMessages = validatorCompiler as FastifySchemaCompiler<unknown>

@controller('/api/articles')
class Articles {
  @Post('/', { schema })
  write(@Body() { title }: { title: string }): unknown {
    return { title, more: 'than the schema names' }
  }

  @WebSocket('/live', { schema, validatorCompiler: ofMessages })
  live(@Body() { title }: { title: string }): unknown {
    return { title, more: 'than the schema names' }
  }
}

type When = 'before' | 'after'

/** What an application sets. */
const COMPILERS = {
  Zod: (app: FastifyInstance) => app.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler),
  TypeBox: (app: FastifyInstance) => app.setValidatorCompiler(TypeBoxValidatorCompiler)
}
type Make = keyof typeof COMPILERS

async function appWith(t: Test, make: Make, when: When): Promise<{ app: FastifyInstance; authorization: string }> {
  const app = createFastify()
  t.teardown(() => app.close())
  if (when === 'before') COMPILERS[make](app)
  const users = new AccountBook()
  await users.add('root', PASSWORD, { roles: ['ROLE_SVC_ADMIN'] })
  await app.register(svcOrm, { parts: { entities: [Book] } })
  await app.register(svcSqlorm, { connectors: { default: { url: 'sqlite::memory:' } } })
  await app.register(svcAudit)
  await app.register(svcSecurity, {
    areas: { svc: { pattern: '^/svc/(?!security/api/(auth|token)|test)', authenticators: ['userpassword'] } },
    jwt: { keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) },
    passwords: CHEAP,
    parts: { users }
  })
  await app.register(svcWebhooks)
  await app.register(svcOps)
  await app.register(svcRealtime)
  await app.register(svcTest)
  await app.register(svcOpenapi)
  await app.register(svcDecorators, { controllers: [Books, Articles] })
  if (when === 'after') COMPILERS[make](app)
  await app.ready()
  return { app, authorization: `Basic ${Buffer.from(`root:${PASSWORD}`).toString('base64')}` }
}

for (const [make, when] of [
  ['Zod', 'before'],
  ['Zod', 'after'],
  ['TypeBox', 'before'],
  ['TypeBox', 'after']
] as const) {
  t.test(`E3: compilers of ${make} set ${when} the plugins leave the routes of the plugins as they are`, async (t) => {
    const { app, authorization } = await appWith(t, make, when)
    for (const path of ['auth/login', 'token']) {
      const url = `/svc/security/api/${path}`
      const answer = await app.inject({ method: 'POST', url, payload: { username: 7 } })
      t.match(answer.json(), {
        statusCode: 400,
        code: 'SVC_HTTP_VALIDATION',
        details: [{ path: '/password', message: 'is required' }, { path: '/username' }]
      })
    }
    const payload = { username: 'root', password: PASSWORD }
    const login = await app.inject({ method: 'POST', url: '/svc/security/api/auth/login', payload })
    t.equal(login.statusCode, 200, login.body)

    const views = ['audit/events?limit=1', 'sessions', 'firewall', 'roles', 'webhooks?limit=1', 'webhooks/event-types']
    for (const view of views) {
      const answer = await app.inject({ url: `/svc/security/api/${view}`, headers: { authorization } })
      t.equal(answer.statusCode, 200, `${view}: ${answer.body}`)
    }
    for (const url of ['/svc/orm/api/orms', '/svc/orm/api/entity/Book', '/svc/ops/metrics']) {
      const answer = await app.inject({ url, headers: { authorization } })
      t.equal(answer.statusCode, 200, `${url}: ${answer.body}`)
    }
    t.equal((await app.inject('/svc/ops/health')).statusCode, 200)
    t.match((await app.inject('/svc/test/webhooks/received')).json(), { total: 0 })

    const bad = { method: 'POST', url: '/svc/security/api/webhooks', headers: { authorization } } as const
    const refused = await app.inject({ ...bad, payload: { url: 7 } })
    t.match(refused.json(), { statusCode: 400, code: 'SVC_HTTP_VALIDATION' })
    t.ok(refused.json().details.length > 0)
  })

  t.test(`E3: those of ${make}, set ${when} the plugins, compile controllers, and crud brings its own`, async (t) => {
    const { app } = await appWith(t, make, when)
    const write = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
    const written = await write('/api/articles', { title: ' One ' })
    t.strictSame([written.statusCode, written.json()], [200, { title: 'One' }], 'as Zod transforms and strips')
    const refused = await write('/api/articles', { title: ' ' })
    t.match(refused.json(), { statusCode: 400, code: 'SVC_HTTP_VALIDATION', details: [{ path: '/title' }] })

    await app.listen({ port: 0, host: '127.0.0.1' })
    const port = portOf(app.server)
    const socket = new Socket(`ws://127.0.0.1:${port}/api/articles/live`)
    await once(socket, 'open')
    socket.send(JSON.stringify({ title: ' One ' }))
    const [message] = await once(socket, 'message')
    t.equal(String(message), '{"title":"One"}', 'a message, too')
    socket.terminate()

    const made = await write('/api/books', { title: 'One' })
    const { id } = made.json()
    t.strictSame((await app.inject(`/api/books/${id}`)).json(), { id, title: 'One' })
    t.match((await app.inject('/api/books?limit=5')).json(), { items: [{ id }], limit: 5, total: 1 })
    const wrong = await write('/api/books', { titel: 'One' })
    t.match(wrong.json(), { statusCode: 400, details: [{ path: '/title' }, { path: '/titel' }] })
  })
}
