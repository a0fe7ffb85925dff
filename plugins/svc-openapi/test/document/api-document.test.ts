/** One document with the @fastify/swagger of the application, registered before this plugin or after it. */
import swagger from '@fastify/swagger'
import { Validator } from '@seriousme/openapi-schema-validator'
import Fastify, { type FastifyInstance } from 'fastify'
import { guardHooks, type Requirement, type RouteSecurity } from 'svc-kernel'
import t, { type Test } from 'tap'
import { z } from 'zod'
import svcOpenapi, { type Document } from '../../src/index.ts'

const ADMIN: Requirement = [[{ attribute: 'ROLE_ADMIN' }]]
const svc = (name: string, given: Partial<RouteSecurity> = {}): RouteSecurity => ({
  name,
  requirement: null,
  anonymous: false,
  bypassFirewall: false,
  transports: ['HTTP'],
  source: null,
  ...given
})

const body = z.object({ title: z.string() })
const anything = { validatorCompiler: () => () => true, serializerCompiler: () => () => '{}' }

/** As a provider of Zod: it knows nothing else. */
function transform({ schema, url }: { schema: object; url: string }) {
  const { body, ...rest } = (schema ?? {}) as { body?: { toJSONSchema(): object }; [key: string]: unknown }
  if (Object.values(rest).length > 0) throw new Error(`unknown schema of ${url}`)
  return { url: `/v1${url}`, schema: body === undefined ? rest : { body: body.toJSONSchema(), summary: 'theirs' } }
}

interface Options {
  readonly when?: 'before' | 'after' | 'never'
  readonly theirs?: object
  readonly logger?: object
}

async function application(t: Test, { when = 'before', theirs = {}, logger }: Options): Promise<FastifyInstance> {
  const app = Fastify(logger === undefined ? {} : { logger }) as unknown as FastifyInstance
  t.teardown(() => app.close())
  const register = () =>
    app.register(swagger, { openapi: { info: { title: 'mine', version: '7' } }, ...theirs } as never)
  if (when === 'before') await register()
  app.decorate('firewall', {
    zoneOf: () => ({ authenticators: ['session'], mode: 'first' }),
    proofOf: () => null
  } as never)
  await app.register(svcOpenapi, { open: true })
  if (when === 'after') await register()
  app.post('/plain', { schema: { body }, ...anything }, async () => ({}))
  app.post('/notes', {
    ...guardHooks(ADMIN),
    config: { svc: svc('Notes.write', { requirement: ADMIN }) },
    schema: { body, response: { 200: { type: 'object', properties: { id: { type: 'string' } } } } },
    ...anything,
    handler: async () => ({})
  })
  app.apiDescriptions.push({ tags: [{ name: 'webhooks' }] })
  await app.ready()
  return app
}

const shape = { type: 'object', properties: { title: { type: 'string' } } }
const operation = (document: Document, path: string) => document.paths?.[path]?.post

for (const when of ['before', 'after'] as const) {
  t.test(`registered ${when} this plugin, it gives the document, and this plugin completes it`, async (t) => {
    const app = await application(t, { when, theirs: { transform } })
    const document = app.swagger() as unknown as Document
    const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
    t.ok(valid, JSON.stringify(errors))
    t.match(document, { openapi: '3.1.0', info: { title: 'mine', version: '7' }, tags: [{ name: 'webhooks' }] })
    t.match(operation(document, '/v1/plain'), {
      summary: 'theirs',
      requestBody: { content: { 'application/json': { schema: shape } } }
    })
    t.match(operation(document, '/notes'), {
      operationId: 'Notes.write',
      'x-guard': 'ROLE_ADMIN',
      security: [{ session: ['ROLE_ADMIN'] }],
      requestBody: { content: { 'application/json': { schema: shape } } },
      responses: { 403: { $ref: '#/components/responses/Forbidden' } }
    })
    t.ok(document.components?.securitySchemes?.session)
    t.strictSame((await app.inject('/svc/docs/api/json')).json(), document, 'the page shows the same')
    t.match(app.swagger({ yaml: true }), /^openapi: 3\.1\.0/)
  })

  t.test(`a document of Swagger 2, registered ${when}, stays as it is, beside one of OpenAPI`, async (t) => {
    const theirs = { openapi: undefined, swagger: { info: { title: 'old', version: '1' } } }
    const app = await application(t, { when, theirs: { ...theirs, transform } })
    t.match(app.swagger(), { swagger: '2.0', info: { title: 'old' } })
    t.match(app.swagger({ yaml: true }), /^swagger: "?2\.0/)
    const page = (await app.inject('/svc/docs/api/json')).json()
    t.match(page, { openapi: '3.1.0', info: { title: 'app' } })
    t.match(operation(page, '/plain'), { requestBody: { content: { 'application/json': { schema: shape } } } })
  })
}

t.test('without one, Standard Schemas come out as JSON Schema, on plain routes too', async (t) => {
  const app = await application(t, { when: 'never' })
  const document = app.swagger() as unknown as Document
  for (const path of ['/plain', '/notes'])
    t.match(operation(document, path), { requestBody: { content: { 'application/json': { schema: shape } } } })
})

t.test("a route's own swaggerTransform runs first, and false is none", async (t) => {
  const app = Fastify() as unknown as FastifyInstance
  t.teardown(() => app.close())
  await app.register(svcOpenapi, { open: true })
  const own = ({ url }: { url: string }) => ({ schema: { summary: 'own' }, url: `/own${url}` })
  app.get('/a', { config: { svc: svc('a'), swaggerTransform: own } as never }, async () => 1)
  app.get('/b', { config: { svc: svc('b'), swaggerTransform: false } as never }, async () => 1)
  await app.ready()
  const { paths } = app.swagger() as unknown as Document
  t.match(paths?.['/own/a']?.get, { operationId: 'a', summary: 'own' })
  t.match(paths?.['/b']?.get, { operationId: 'b' })
})

t.test('schemas that cannot be described: one warning at boot, and a document all the same', async (t) => {
  const lines: string[] = []
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => lines.push(line) } } })
  t.teardown(() => app.close())
  await app.register(svcOpenapi, { open: true })
  const odd = { '~standard': { version: 1, vendor: 'odd', validate: (value: unknown) => ({ value }) } }
  app.post('/a', { schema: { body: odd }, ...anything }, async () => ({}))
  app.post('/b', { schema: { querystring: odd }, ...anything }, async () => ({}))
  await app.ready()
  t.equal(lines.length, 1)
  t.match(JSON.parse(lines[0] ?? '{}'), {
    code: 'SVC_OPENAPI_SCHEMA',
    schemas: [/^POST \/a: body: odd exports no JSON Schema/, /^POST \/b: querystring: odd/]
  })
  const document = app.swagger() as unknown as Document
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
  t.ok(valid, JSON.stringify(errors))
  t.notMatch(JSON.stringify(document), /vendor/)
})

t.test('what a route asks of the proof is part of its guard, with the codes of its refusals', async (t) => {
  const app = Fastify() as unknown as FastifyInstance
  t.teardown(() => app.close())
  const zone = { authenticators: ['session'], mode: 'first' }
  app.decorate('firewall', { zoneOf: () => zone, proofOf: () => null } as never)
  await app.register(svcOpenapi, { open: true })
  const config = { svc: svc('Notes.pay', { requirement: ADMIN }), proof: { maxAgeS: 300, factor: 'any' as const } }
  app.post('/pay', { ...guardHooks(ADMIN), config, handler: async () => ({}) })
  await app.ready()
  const described = operation(app.swagger() as unknown as Document, '/pay')
  t.equal(described?.['x-guard'], 'ROLE_ADMIN & FRESH(300) & FACTOR(any)')
  t.match(described?.responses?.['401']?.description, /`SVC_SEC_STEP_UP`/)
  t.match(described?.responses?.['403']?.description, /`SVC_SEC_PROOF_DUE`, `SVC_SEC_PERSON`/)
})
