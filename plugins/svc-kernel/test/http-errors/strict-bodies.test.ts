/** Bodies mean what they say; parameters are texts and are read as such. */
import Fastify from 'fastify'
import t from 'tap'
import { strictBodies } from '../../src/http-errors/strict-bodies.ts'

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
