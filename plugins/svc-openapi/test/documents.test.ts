/** A document for each audience: who may read which, over real HTTP, and what each has. */
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { Validator } from '@seriousme/openapi-schema-validator'
import Fastify from 'fastify'
import { createAccessToken, guardHooks, type Requirement } from 'svc-kernel'
import { adminRoute, routeSecurity } from 'svc-kernel/plugin'
import t, { type Test } from 'tap'
import svcOpenapi, { type SvcOpenapiOptions } from '../src/index.ts'

const PARTNER: Requirement = [[{ attribute: 'ROLE_PARTNER' }]]

/** `production` unless given; a caller has the role that a header says. */
async function shop(t: Test, options: SvcOpenapiOptions, mode = 'production') {
  const fastify = Fastify()
  fastify.decorate('appHost', { name: 'shop', root: '/', mode, importModule: async () => ({}) } as never)
  await fastify.register(svcOpenapi, options)
  fastify.accessGate.use({
    allows: (token, requirement) =>
      token.user.roles.some((role) => requirement.every((clause) => clause.some(({ attribute }) => attribute === role)))
  })
  fastify.addHook('onRequest', async (request) => {
    const role = request.headers['x-role']
    if (typeof role !== 'string') return
    request.token = createAccessToken({ type: 'session', user: { identifier: 'ann', roles: [role] } })
    request.user = request.token.user
  })
  fastify.get('/api/orders', { schema: { tags: ['orders'] } as object, handler: async () => [] })
  fastify.get('/api/partners/reports', {
    ...guardHooks(PARTNER),
    config: { svc: routeSecurity('Partners.reports', { requirement: PARTNER }) },
    handler: async () => []
  })
  fastify.get('/svc/users', { ...adminRoute('svc.users.list'), handler: async () => [] })
  t.teardown(() => fastify.close())
  const url = `${await fastify.listen({ host: '127.0.0.1', port: 0 })}/svc/docs/api`
  const read = async (path: string, role?: string) => {
    const answer = await fetch(url + path, role === undefined ? {} : { headers: { 'x-role': role } })
    const text = await answer.text()
    return {
      status: answer.status,
      paths: answer.ok && path.endsWith('json') ? Object.keys(JSON.parse(text).paths) : [],
      text
    }
  }
  return { fastify, read }
}

const ORDERS = '/api/orders'
const REPORTS = '/api/partners/reports'
const USERS = '/svc/users'

t.test('by default: one document without the administration, and one of it for administrators', async (t) => {
  for (const [mode, everyone] of [
    ['production', 403],
    ['development', 200]
  ] as const) {
    const { read, fastify } = await shop(t, {}, mode)
    t.equal((await read('/json')).status, everyone, mode)
    t.strictSame((await read('/json', 'ROLE_SVC_ADMIN')).paths, [ORDERS, REPORTS])
    t.strictSame(Object.keys((fastify.swagger() as { paths: object }).paths), [ORDERS, REPORTS])
    for (const path of ['/admin/', '/admin/json', '/admin/yaml', '/admin/static/swagger-initializer.js']) {
      t.equal((await read(path)).status, 403, `${mode}: ${path} for everyone`)
      t.equal((await read(path, 'ROLE_PARTNER')).status, 403)
      t.equal((await read(path, 'ROLE_SVC_ADMIN')).status, 200)
    }
    const admin = await read('/admin/json', 'ROLE_SVC_ADMIN')
    t.strictSame(admin.paths, [USERS])
    t.match(JSON.parse(admin.text).info, { title: 'shop: admin' })
  }
})

t.test('an open document never has what requires an administrator', async (t) => {
  const { read } = await shop(t, {
    open: true,
    include: ['/*'],
    documents: { all: { open: true, include: ['/svc/*', ORDERS] } }
  })
  t.strictSame((await read('/json')).paths, [ORDERS, REPORTS])
  t.strictSame((await read('/all/json')).paths, [ORDERS])
  t.notMatch((await read('/all/yaml')).text, 'svc.users')
})

t.test('all in one document, for administrators', async (t) => {
  const { read } = await shop(t, { include: ['/*'] })
  t.strictSame((await read('/json', 'ROLE_SVC_ADMIN')).paths, [ORDERS, REPORTS, USERS])
  t.equal((await read('/json')).status, 403)
})

t.test('documents of the options: a role, a selection, a title', async (t) => {
  const { read } = await shop(t, {
    exclude: ['/api/partners/*'],
    documents: {
      partners: { title: 'Partner API', description: 'Reports.', role: 'ROLE_PARTNER', include: ['/api/partners/*'] },
      customers: { open: true, include: ['orders'] },
      admin: { include: ['/svc/*', '/api/partners/*'] }
    }
  })
  t.strictSame((await read('/json', 'ROLE_SVC_ADMIN')).paths, [ORDERS])
  t.equal((await read('/partners/json')).status, 403)
  const partners = await read('/partners/json', 'ROLE_PARTNER')
  t.strictSame(partners.paths, [REPORTS])
  t.match(JSON.parse(partners.text).info, { title: 'Partner API', description: 'Reports.' })
  t.strictSame((await read('/customers/json')).paths, [ORDERS])
  t.equal((await read('/customers/')).status, 200, 'with a page')
  t.strictSame((await read('/admin/json', 'ROLE_SVC_ADMIN')).paths, [REPORTS, USERS], 'one named admin replaces ours')
  for (const text of [partners.text, (await read('/customers/json')).text]) {
    const { valid, errors } = await new Validator().validate(JSON.parse(text))
    t.ok(valid, JSON.stringify(errors))
  }
})

t.test('without pages there are the documents alone', async (t) => {
  const { read } = await shop(t, { page: false })
  t.equal((await read('/admin/json', 'ROLE_SVC_ADMIN')).status, 200)
  t.equal((await read('/admin/', 'ROLE_SVC_ADMIN')).status, 404)
})

t.test('names that the addresses of a document have are refused at boot', async (t) => {
  for (const name of ['json', 'yaml', 'static', 'asyncapi', 'Partners', 'a/b']) {
    const fastify = Fastify()
    const boot = async () => fastify.register(svcOpenapi, { documents: { [name]: {} } })
    await t.rejects(boot, { code: 'SVC_KERNEL_OPTIONS', message: `at: svc-openapi.documents\n  got "${name}"` }, name)
  }
})

const ADMIN: Requirement = [[{ attribute: 'ROLE_SVC_ADMIN' }]]
const ADMIN_OF: Requirement = [[{ attribute: 'ROLE_SVC_ADMIN', subject: 'id' }]]
const EITHER: Requirement = [[{ attribute: 'ROLE_SVC_ADMIN' }, { attribute: 'ROLE_PARTNER' }]]
const OPENAPI = { openapi: '3.1.0', info: { title: 'theirs', version: '1' } } as const

type OwnSwagger = FastifyDynamicSwaggerOptions | null

const owns: [what: string, swagger: OwnSwagger][] = [
  ['our own document', null],
  ['theirs', { openapi: OPENAPI }],
  [
    'theirs, whose transform removes guards',
    {
      openapi: OPENAPI,
      transform: ({ schema, url }) => ({ schema: { ...schema, 'x-guard': undefined } as object, url })
    }
  ],
  [
    'theirs, without extensions',
    {
      openapi: OPENAPI,
      transformObject: (given) => {
        const document = (given as { openapiObject: { paths: Record<string, Record<string, object>> } }).openapiObject
        for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item)))
          for (const key of Object.keys(operation)) if (key.startsWith('x-')) Reflect.deleteProperty(operation, key)
        return document
      }
    }
  ]
]

for (const [what, own] of owns) {
  t.test(`no form of guard opens the administration: ${what}`, async (t) => {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    await fastify.register(svcOpenapi, { open: true, include: ['/*'] })
    if (own !== null) await fastify.register(swagger, own)
    const handler = async () => []
    fastify.get('/closed/plane', { ...adminRoute('svc.users.list'), handler })
    fastify.get('/closed/plain', { ...guardHooks(ADMIN), handler })
    fastify.get('/closed/plain/:id(^\\d+$)', { ...guardHooks(ADMIN), handler })
    const more = { preParsing: [guardHooks(PARTNER).preParsing, guardHooks(ADMIN).preParsing], handler }
    fastify.route({ method: ['PUT', 'PATCH'], url: '/closed/stacked', ...more })
    const subject = { svc: routeSecurity('Users.read', { requirement: ADMIN_OF }) }
    fastify.get('/closed/subject/:id', { ...guardHooks(ADMIN_OF), config: subject, handler })
    const config = { svc: routeSecurity('Users.said', { requirement: ADMIN }) }
    fastify.get('/closed/said', { ...guardHooks(ADMIN), config, schema: { 'x-guard': 'none' } as object, handler })
    fastify.get('/open', handler)
    fastify.get('/open/either', { ...guardHooks(EITHER), handler })
    fastify.get('/open/partner', { ...guardHooks(PARTNER), handler })
    // The method counts: the same path is open to read.
    fastify.get('/open/both', handler)
    fastify.delete('/open/both', { ...guardHooks(ADMIN), handler })
    await fastify.ready()
    const { paths } = (await fastify.inject('/svc/docs/api/json')).json() as { paths: Record<string, object> }
    t.strictSame(
      Object.entries(paths).map(([path, item]) => `${Object.keys(item)} ${path}`),
      ['get /open', 'get /open/either', 'get /open/partner', 'get /open/both']
    )
  })
}
