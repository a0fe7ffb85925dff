/** The document of a small application, whole: valid OpenAPI 3.1, with what firewall and guards ask for. */
import { Validator } from '@seriousme/openapi-schema-validator'
import Fastify, { type FastifyInstance } from 'fastify'
import { guardHooks, type Requirement, type RouteSecurity } from 'svc-kernel'
import t from 'tap'
import svcOpenapi, { type Document, type SvcOpenapiOptions } from '../src/index.ts'

const ADMIN: Requirement = [[{ attribute: 'ROLE_ADMIN' }], [{ attribute: 'orders:read' }, { attribute: 'orders:all' }]]

function svc(name: string, given: Partial<RouteSecurity> = {}): RouteSecurity {
  return {
    name,
    requirement: null,
    anonymous: false,
    bypassFirewall: false,
    transports: ['HTTP'],
    source: null,
    ...given
  }
}

const ZONES: Record<string, { authenticators: string[]; mode: 'first' | 'all' }> = {
  '/api/orders': { authenticators: ['session', 'jwt', 'apikey'], mode: 'first' },
  '/api/orders/:id': { authenticators: ['session', 'anonymous'], mode: 'first' },
  '/api/both': { authenticators: ['jwt', 'mine'], mode: 'all' }
}

/** As authenticators describe their credentials. */
const SAID: Readonly<Record<string, object>> = {
  session: { type: 'apiKey', in: 'cookie', name: 'sid' },
  jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  apikey: { type: 'http', scheme: 'bearer' }
}

async function application(options: SvcOpenapiOptions = {}, mode = 'development'): Promise<FastifyInstance> {
  const fastify = Fastify()
  fastify.decorate('appHost', { name: 'shop', root: '/', mode, importModule: async () => ({}) } as never)
  fastify.decorate('firewall', {
    zoneOf: (path: string) => ZONES[path] ?? null,
    proofOf: (name: string) => (name === 'mine' ? null : { openapi: SAID[name] })
  } as never)
  await fastify.register(svcOpenapi, options)
  fastify.get('/api/orders', {
    ...guardHooks(ADMIN),
    config: { svc: svc('OrdersController.list', { requirement: ADMIN, transports: ['HTTP', 'WEBSOCKET'] }) },
    schema: {
      description: 'All orders.',
      querystring: { type: 'object', properties: { limit: { type: 'integer' } } },
      response: { 200: { type: 'array', items: { type: 'string' } } }
    },
    handler: async () => []
  })
  fastify.post('/api/orders', {
    config: { svc: svc('OrdersController.list') },
    schema: { body: { type: 'object', properties: { title: { type: ['string', 'null'] } } } },
    handler: async () => ({})
  })
  fastify.get('/api/orders/:id', { config: { svc: svc('OrdersController.one') }, handler: async () => ({}) })
  fastify.get('/api/both', { config: { svc: svc('both') }, handler: async () => ({}) })
  fastify.get('/api/open', { config: { svc: svc('open', { anonymous: true }) }, handler: async () => ({}) })
  fastify.addSchema({ $id: 'page', type: 'object', properties: { size: { $ref: 'size#' } } })
  fastify.addSchema({ $id: 'size', type: ['integer', 'null'] })
  fastify.get('/pages/:number?', {
    schema: {
      querystring: { $ref: 'page#' },
      response: { 200: { $ref: 'page#' } }
    },
    handler: async () => ({ size: 1 })
  })
  fastify.get('/plain', async () => 'plain')
  fastify.get('/live', {
    config: { svc: svc('LiveController.feed', { transports: ['WEBSOCKET'], requirement: ADMIN }) },
    schema: { hide: true } as object,
    handler: async () => ({})
  })
  fastify.apiDescriptions.push({
    webhooks: { 'login.failure': { post: { responses: { 200: { description: 'taken' } } } } },
    components: { schemas: { Event: { type: 'object' } } },
    tags: [{ name: 'webhooks', description: 'Requests the application sends.' }]
  })
  await fastify.ready()
  return fastify
}

t.test('the document', async (t) => {
  const fastify = await application({
    version: '1.2.3',
    description: 'A shop.',
    servers: [{ url: 'https://shop.test' }]
  })
  t.teardown(() => fastify.close())
  const document = fastify.swagger() as unknown as Document

  await t.test('is valid OpenAPI 3.1', async (t) => {
    const { valid, errors } = await new Validator().validate(
      structuredClone(document) as unknown as Record<string, unknown>
    )
    t.ok(valid, JSON.stringify(errors))
    t.match(document, { openapi: '3.1.0', info: { title: 'shop', version: '1.2.3', description: 'A shop.' } })
    t.match(document, { servers: [{ url: 'https://shop.test' }] })
  })

  await t.test('says who may call, and how they prove it', async (t) => {
    const list = document.paths?.['/api/orders']?.get
    t.strictSame(list?.security, [{ session: ['ROLE_ADMIN'] }, { jwt: ['ROLE_ADMIN'] }, { apikey: ['ROLE_ADMIN'] }])
    t.match(list, { 'x-guard': 'ROLE_ADMIN & (orders:read | orders:all)', 'x-transports': ['HTTP', 'WEBSOCKET'] })
    t.match(list, { description: /^All orders\.\n\nRequires / })
    t.strictSame(Object.keys(list?.responses ?? {}), ['200', '400', '401', '403', '503'])
    t.strictSame(document.paths?.['/api/orders/{id}']?.get?.security, [{ session: [] }, {}], 'anyone may')
    t.notOk(document.paths?.['/api/orders/{id}']?.get?.responses?.[401], 'where anyone may, nobody is refused')
    t.strictSame(document.paths?.['/api/both']?.get?.security, [{ jwt: [], mine: [] }], 'mode all asks for both')
    t.ok(document.paths?.['/pages/{number}']?.get, 'a parameter that may be left out')
    for (const path of ['/api/open', '/plain'])
      t.notOk(document.paths?.[path]?.get?.security, `${path} asks for nothing`)
  })

  await t.test('makes components of shared schemas, wherever they are used', async (t) => {
    const { schemas } = document.components ?? {}
    const nameOf = (id: string) =>
      Object.entries(schemas ?? {}).find(([, schema]) => (schema as { title?: string }).title === id)?.[0]
    const [page, size] = ['page', 'size'].map((id) => `#/components/schemas/${nameOf(id)}`)
    const asked = document.paths?.['/pages/{number}']?.get
    t.match(asked?.responses?.[200], { content: { 'application/json': { schema: { $ref: page } } } })
    t.match(asked?.parameters, [
      { name: 'size', in: 'query', schema: { $ref: size } },
      { name: 'number', in: 'path' }
    ])
    t.match(schemas?.[nameOf('size') ?? ''], { type: ['integer', 'null'] })
  })

  await t.test('names the schemes that are in use, and no other', async (t) => {
    t.strictSame(Object.keys(document.components?.securitySchemes ?? {}), ['apikey', 'jwt', 'mine', 'session'])
    t.match(document.components?.securitySchemes, {
      jwt: { type: 'http', scheme: 'bearer' },
      session: { in: 'cookie' }
    })
  })

  await t.test('gives each operation a name of its own', async (t) => {
    t.equal(document.paths?.['/api/orders']?.get?.operationId, 'OrdersController.list')
    t.equal(document.paths?.['/api/orders']?.post?.operationId, 'OrdersController.list.post')
  })

  await t.test('holds what other plugins add, and the routes that have no place in paths', async (t) => {
    t.match(document, { webhooks: { 'login.failure': { post: {} } }, tags: [{ name: 'webhooks' }] })
    t.match(document.components?.schemas, { Event: { type: 'object' }, Error: { type: 'object' } })
    t.match(document['x-websocket-routes'], [
      { path: '/api/orders', name: 'OrdersController.list', guard: 'ROLE_ADMIN & (orders:read | orders:all)' },
      { path: '/live', name: 'LiveController.feed', security: [] }
    ])
    t.equal(document['x-websocket-routes']?.length, 2, 'a route of both transports is there too')
    t.notOk(document.paths?.['/live'])
    t.notOk(
      Object.keys(document.paths ?? {}).some((path) => path.startsWith('/svc/')),
      'nor the page itself'
    )
  })
})

t.test('a scheme of the application wins', async (t) => {
  const mine = { type: 'mutualTLS' }
  const fastify = await application({ securitySchemes: { mine } })
  t.teardown(() => fastify.close())
  t.strictSame((fastify.swagger() as unknown as Document).components?.securitySchemes?.mine, mine)
})

t.test('without a firewall nothing is asked for', async (t) => {
  const fastify = Fastify()
  await fastify.register(svcOpenapi)
  fastify.get('/a', { config: { svc: svc('a', { requirement: ADMIN }) }, handler: async () => 'a' })
  await fastify.ready()
  t.teardown(() => fastify.close())
  t.notOk((fastify.swagger() as unknown as Document).paths?.['/a']?.get?.security)
  t.match(
    (fastify.swagger() as unknown as Document).paths?.['/a']?.get,
    { 'x-guard': /ROLE_ADMIN/ },
    'the guard is told all the same'
  )
})

t.test('schemas that do not fit together: 500 without details, and the log says why', async (t) => {
  const lines: string[] = []
  const fastify = Fastify({ logger: { level: 'error', stream: { write: (line: string) => lines.push(line) } } })
  await fastify.register(svcOpenapi, { open: true })
  fastify.get('/a', {
    schema: { params: { $ref: 'nowhere#' } } as object,
    validatorCompiler: () => () => true,
    handler: async () => 'a'
  })
  await fastify.ready()
  t.teardown(() => fastify.close())
  const answer = await fastify.inject('/svc/docs/api/json')
  t.equal(answer.statusCode, 500)
  t.equal(answer.json().code, 'SVC_OPENAPI_FAILED')
  t.notMatch(answer.body, /properties/)
  t.match(lines.join(''), /SVC_OPENAPI_FAILED.*"route":"GET \/a"/)
})
