/** Unknown query parameters are refused by name; known ones reach the route's schema. */
import Fastify from 'fastify'
import t from 'tap'
import svcKernel from '../../src/index.ts'
import { adminChange, adminRoute, strictQuery } from '../../src/routes/admin-route.ts'

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

t.test('Q15: what a route of an administrator answers is what its type says, a refusal as well', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcKernel)
  let allowed = true
  fastify.accessGate.use({ allows: () => allowed })
  const order: string[] = []
  const own = { onRequest: async () => void order.push('own') }
  fastify.get('/view', { ...adminRoute('view'), ...own }, async () => '<script>')
  fastify.post('/change', adminChange('change'), async () => '<script>')
  fastify.get('/other', async () => '<script>')
  const sniffed = async (method: 'GET' | 'POST', url: string) =>
    (await fastify.inject({ method, url })).headers['x-content-type-options']
  t.equal(await sniffed('GET', '/view'), 'nosniff')
  t.equal(await sniffed('POST', '/change'), 'nosniff')
  allowed = false
  t.equal(await sniffed('GET', '/view'), 'nosniff')
  t.equal(await sniffed('GET', '/other'), undefined, 'routes of the application are its own')
  t.strictSame(order, ['own', 'own'], 'hooks of the route stay')
})
