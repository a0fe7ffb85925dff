/** An application without the page does not load it. */
import { createRequire } from 'node:module'
import Fastify from 'fastify'
import t from 'tap'
import svcOpenapi from '../../src/index.ts'

const { cache } = createRequire(import.meta.url)

function isLoaded(name: string): boolean {
  return Object.keys(cache).some((path) => path.replaceAll('\\', '/').includes(`/node_modules/${name}/`))
}

t.test('the page is loaded where it is served', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOpenapi, { page: false })
  await fastify.ready()
  t.ok(fastify.swagger())
  t.ok(isLoaded('@fastify/swagger'), 'what is loaded is seen')
  t.notOk(isLoaded('@fastify/swagger-ui'))

  const withPage = Fastify()
  t.teardown(() => withPage.close())
  await withPage.register(svcOpenapi)
  await withPage.ready()
  t.ok(isLoaded('@fastify/swagger-ui'))
})
