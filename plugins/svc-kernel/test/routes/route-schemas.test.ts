/** Bodies mean what they say; parameters are texts and are read as such. */
import Fastify from 'fastify'
import t from 'tap'
import { ensureKernel } from '../../src/index.ts'
import { describedAs, describedBy, routeSecurity } from '../../src/plugin.ts'
import { integer, listOf, object, text, textOrNull } from '../../src/routes/json-schemas.ts'
import { boundedValidation, strictBodies } from '../../src/routes/route-schemas.ts'

function app() {
  const fastify = Fastify()
  fastify.register(async (scope) => {
    scope.setValidatorCompiler(strictBodies)
    const schema = {
      body: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: { name: { type: 'string' }, count: { type: 'integer', default: 1 } }
      },
      querystring: { type: 'object', properties: { limit: { type: 'integer' } } }
    }
    scope.post('/', { schema }, async ({ body, query }) => ({ body, query }))
  })
  return fastify
}

const rows: Array<[title: string, payload: object, status: number]> = [
  ['what fits', { name: 'a' }, 200],
  ['a number for a text', { name: 7 }, 400],
  ['a text for a number', { name: 'a', count: '7' }, 400],
  ['null', { name: null }, 400],
  ['a list of one', { name: ['a'] }, 400],
  ['an unknown key', { name: 'a', admin: true }, 400],
  ['a missing key', {}, 400]
]
for (const [title, payload, status] of rows) {
  t.test(title, async (t) => {
    const answer = await app().inject({ method: 'POST', url: '/', payload })
    t.equal(answer.statusCode, status)
  })
}

t.test('defaults are filled in, and a query is read as numbers', async (t) => {
  const answer = await app().inject({ method: 'POST', url: '/?limit=5', payload: { name: 'a' } })
  t.strictSame(answer.json(), { body: { name: 'a', count: 1 }, query: { limit: 5 } })
})

const validate = boundedValidation({ useDefaults: true })({
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { name: { type: 'string' }, list: { type: 'array', items: { type: 'string' } } }
})

const many = (length: number) => Object.fromEntries(Array.from({ length }, (_, n) => [`key${n}`, n]))

t.test('R5: a small body is told twenty of its faults, and how many more there are', async (t) => {
  const { validation, unlisted } = faultsOf(many(500))
  t.equal(validation.length, 20)
  // The missing name is one of them.
  t.equal(unlisted, 501 - 20)
})

t.test('R5: of a large body the first fault is looked for, wherever its values are', async (t) => {
  for (const body of [many(50_000), { name: 'a', list: Array(50_000).fill(7) }, { name: 'a', list: [many(50_000)] }]) {
    const { validation, unlisted } = faultsOf(body)
    t.strictSame([validation.length, unlisted], [1, 0])
  }
  t.equal(validate({ name: 'a', list: Array(50_000).fill('x') }), true)
})

function faultsOf(body: unknown): { validation: readonly unknown[]; unlisted: number } {
  const answer = validate(body)
  if (answer === true) throw new Error('the body was taken')
  const { error } = answer
  return Array.isArray(error) ? { validation: error, unlisted: 0 } : (error as unknown as ReturnType<typeof faultsOf>)
}

const ofPlugin = {
  svc: {
    name: 'svc.test',
    requirement: null,
    anonymous: false,
    bypassFirewall: false,
    transports: ['HTTP' as const],
    source: null
  }
}

for (const [whose, config, readies] of [
  ['a plugin', ofPlugin, true],
  ['an application', {}, false]
] as const) {
  t.test(`a schema of ${whose} is compiled ${readies ? 'for the first request' : 'at the start'}`, async (t) => {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    await ensureKernel(fastify)
    const schema = { querystring: { $ref: 'nowhere#' } }
    fastify.route({ method: 'GET', url: '/', config: { ...config }, schema, handler: async () => 'ok' })
    if (readies) t.equal((await fastify.inject('/')).statusCode, 500)
    else await t.rejects(async () => fastify.ready(), { code: 'FST_ERR_SCH_VALIDATION_BUILD' })
  })
}

t.test('answers of plugins are written as far as they are there', async (t) => {
  const fastify = Fastify()
  await ensureKernel(fastify)
  const item = object({ name: text, size: integer }, { at: textOrNull })
  const found = { anyOf: [item, object({ off: { type: 'boolean', const: true } })] }
  const routes: [string, object, unknown, unknown][] = [
    ['/whole', item, { name: 'a', size: 1, at: null, secret: 1 }, { name: 'a', size: 1, at: null }],
    ['/lacking', item, { size: null }, { size: null }],
    ['/items', object({ items: listOf(item) }), { items: [{ name: null }, {}] }, { items: [{ name: null }, {}] }],
    ['/choice', found, { off: true }, { off: true }],
    ['/other-choice', found, { name: 'a', secret: 1 }, { name: 'a' }],
    ['/any', object({ value: { type: ['object', 'array', 'string'] } }), { value: { a: [1] } }, { value: { a: [1] } }]
  ]
  for (const [url, schema, given] of routes) {
    const config = { svc: routeSecurity(`svc.t${url}`) }
    fastify.get(url, { config, schema: { response: { 200: schema } } }, async () => given)
  }
  for (const [url, , , expected] of routes) t.strictSame((await fastify.inject(url)).json(), expected, url)
})

t.test('a schema that is described by another one', async (t) => {
  const schema = describedAs({ type: 'object', properties: {} }, { title: 'said' })
  t.strictSame((schema as { [describedBy]?: object })[describedBy], { title: 'said' })
  t.notOk(describedBy in { ...schema }, 'what is made of it is described as it is')
})
