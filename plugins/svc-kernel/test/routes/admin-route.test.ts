/** Unknown query parameters are refused by name; known ones reach the route's schema. */
import Fastify from 'fastify'
import t from 'tap'
import { strictQuery } from '../../src/routes/admin-route.ts'

function app() {
  const fastify = Fastify()
  const schema = { querystring: { type: 'object', properties: { limit: { type: 'integer' }, q: { type: 'string' } } } }
  fastify.get('/', { schema, preValidation: strictQuery(['limit', 'q']) }, async ({ query }) => query)
  fastify.setErrorHandler((error: { statusCode?: number; validation?: unknown }, _request, reply) => {
    reply.code(error.statusCode ?? 500).send(error.validation)
  })
  return fastify
}

const rows: [query: string, status: number, answer: unknown][] = [
  ['', 200, {}],
  ['?limit=3&q=a', 200, { limit: 3, q: 'a' }],
  ['?limt=3', 400, [{ instancePath: '/limt', message: 'is not a known parameter; known: limit, q' }]],
  ['?a=1&b=2', 400, [{ instancePath: '/a' }, { instancePath: '/b' }]],
  ['?__proto__=1', 400, [{ instancePath: '/__proto__' }]],
  ['?constructor=1', 400, [{ instancePath: '/constructor' }]],
  ['?limit=x', 400, [{ instancePath: '/limit' }]]
]

for (const [query, status, answer] of rows) {
  t.test(`GET /${query}`, async (t) => {
    const fastify = app()
    t.teardown(() => fastify.close())
    const response = await fastify.inject(`/${query}`)
    t.equal(response.statusCode, status)
    t.match(response.json(), answer)
  })
}
