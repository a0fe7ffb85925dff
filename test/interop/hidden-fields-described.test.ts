/** The OpenAPI document of generated routes has no hidden field, nor its default; one that is write-only is in bodies alone. */
import Fastify from 'fastify'
import svcOpenapi from 'svc-openapi'
import svcOrm, { crud, defineEntity } from 'svc-orm'
import t from 'tap'

const Account = defineEntity({
  name: 'Account',
  schema: {
    mail: { type: 'string' },
    passwordHash: { type: 'string', default: 'argon' },
    memo: { type: 'string', nullable: true, hidden: true },
    phrase: { type: 'string', hidden: 'write-only' }
  }
})

t.test('X3: hidden fields are in no document', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOpenapi)
  await fastify.register(svcOrm, { memory: true, parts: { entities: [Account] } })
  const { routes } = crud(Account)
  const none = async () => null
  fastify.get('/accounts', routes.list, none)
  fastify.get('/accounts/:id', routes.read, none)
  fastify.post('/accounts', routes.create, none)
  fastify.put('/accounts/:id', routes.replace, none)
  fastify.patch('/accounts/:id', routes.change, none)
  await fastify.ready()

  const { paths } = fastify.swagger() as unknown as { paths: Record<string, Record<string, Operation>> }
  const operations = ['/accounts', '/accounts/{id}'].flatMap((path) => Object.values(paths[path] ?? {}))
  t.equal(operations.length, 5)
  const text = JSON.stringify(operations)
  t.match(text, 'mail')
  t.notMatch(text, /passwordHash|argon|memo/)
  for (const { requestBody: _, ...rest } of operations) t.notMatch(JSON.stringify(rest), 'phrase')
  const bodies = operations.flatMap(({ requestBody }) => requestBody ?? [])
  t.equal(bodies.length, 3)
  for (const body of bodies) t.match(JSON.stringify(body), /"phrase":\{[^}]*"writeOnly":true/)
})

interface Operation {
  readonly requestBody?: unknown
}
