/** The config of a matched route, as `routeOptions` gives it, in every scope, for unknown paths, and where Fastify keeps it otherwise. */
import { fastify as createFastify, type FastifyRequest } from 'fastify'
import t from 'tap'
import { routeConfigReader, routeField } from '../../src/routes/route-config.ts'

t.test('the config of each route, in every scope, is that of routeOptions', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  const configOf = routeConfigReader()
  const urls: unknown[] = []
  fastify.addHook('onRequest', (request, _reply, done) => {
    t.equal(configOf(request), request.routeOptions.config)
    t.not(routeField(request as never), null, 'this Fastify has the field')
    urls.push(request.routeOptions.url)
    done()
  })
  fastify.get('/a', { config: { own: 1 } as object }, () => 'a')
  fastify.register(
    async (scope) => {
      scope.decorateRequest('other', null)
      scope.get('/b/:id', () => 'b')
      scope.setNotFoundHandler((_request, reply) => reply.code(404).send('none'))
    },
    { prefix: '/in' }
  )
  for (const url of ['/a', '/in/b/1', '/in/b/2', '/in/none', '/none', '/a']) await fastify.inject(url)
  t.strictSame(urls, ['/a', '/in/b/:id', '/in/b/:id', undefined, undefined, '/a'])
})

t.test('a field that only may be the one is not taken', (t) => {
  const config = { url: '/a' }
  const request = (fields: object): FastifyRequest =>
    Object.assign({ routeOptions: { config } }, fields) as unknown as FastifyRequest
  const [named, twin] = [Symbol('fastify.context'), Symbol('fastify.context')]
  t.equal(routeField(request({ [named]: { config } }) as never), named)
  for (const fields of [
    {},
    { [Symbol('fastify.route')]: { config } },
    { [named]: { config: { url: '/b' } } },
    { [named]: null },
    { [named]: { config }, [twin]: { config } },
    { [named]: { config }, [twin]: { config: null } }
  ]) {
    t.equal(routeField(request(fields) as never), null)
    t.equal(routeConfigReader()(request(fields)), config)
  }
  const configOf = routeConfigReader()
  t.equal(configOf(request({ [named]: { config } })), config)
  t.equal(configOf(request({})), config, 'a request without the field is asked by routeOptions')
  t.end()
})
