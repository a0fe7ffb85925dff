/** The scope of our own routes: what errors bring along survives a handler of the application; others reach it as they are. */
import Fastify from 'fastify'
import t from 'tap'
import { securityApi } from '../../src/api/security-api.ts'
import { Throttled } from '../../src/errors.ts'

const rows: Array<[title: string, thrown: unknown, retryAfter: string | undefined]> = [
  ['when to come back', Object.assign(new Throttled(), { headers: { 'retry-after': '7' } }), '7'],
  ['other headers alone', Object.assign(new Throttled(), { headers: { 'x-other': '7' } }), undefined],
  ['a time that is no text', Object.assign(new Throttled(), { headers: { 'retry-after': ['7'] } }), undefined],
  ['no headers', new Throttled(), undefined]
]

for (const [title, thrown, retryAfter] of rows) {
  t.test(title, async (t) => {
    const seen: unknown[] = []
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    fastify.setErrorHandler((error, _request, reply) => {
      seen.push(error)
      return reply.code(418).send({ sorry: true })
    })
    securityApi(fastify, (scope) => {
      scope.get('/fails', async () => {
        throw thrown
      })
    })
    const answer = await fastify.inject('/fails')
    t.equal(answer.statusCode, 418)
    t.same(answer.json(), { sorry: true })
    t.equal(answer.headers['retry-after'], retryAfter)
    t.equal(answer.headers['x-other'], undefined)
    t.strictSame(seen, [thrown])
  })
}

t.test("without such a handler Fastify's own answers", async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  securityApi(fastify, (scope) => {
    scope.get('/fails', async () => {
      throw new Throttled()
    })
  })
  t.match((await fastify.inject('/fails')).json(), { statusCode: 429, code: 'SVC_SEC_THROTTLED' })
})
