/** A decorator that is switched off: reading it throws, asking for it gives `null`, and nothing else trips over it. */
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { decoratorOf } from '../../src/index.ts'
import { decorateOff } from '../../src/plugin.ts'

const off = new Error('it is off')
const refuse = (fastify: FastifyInstance) => decorateOff(fastify, 'gates', () => off)

t.test('E8: switched off: reading throws, in every scope, and asking gives null', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  t.equal(decoratorOf(app, 'gates'), null, 'not decorated at all')
  refuse(app)
  t.throws(() => app.gates, off)
  t.equal(decoratorOf(app, 'gates'), null)
  await app.register(async (scope) => {
    t.throws(() => scope.gates, off)
    t.equal(decoratorOf(scope, 'gates'), null)
  })
  await app.ready()
  t.notOk(Object.keys(app).includes('gates'), 'what copies or prints the instance does not read it')
})

t.test('E8: switched on: what was decorated, in every scope', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const gates = {} as FastifyInstance['gates']
  app.decorate('gates', { getter: () => gates })
  await app.register(async (scope) => {
    t.equal(decoratorOf(scope, 'gates'), gates)
    t.equal(decoratorOf(scope, 'version'), scope.version)
  })
  await app.ready()
})

t.test("E8: an application's own decorator of the name is kept, and a scope may have its own", async (t) => {
  const own = {} as FastifyInstance['gates']
  const app = Fastify()
  const other = Fastify()
  t.teardown(() => Promise.all([app.close(), other.close()]))
  app.decorate('gates', own)
  refuse(app)
  t.equal(app.gates, own)
  refuse(other)
  await other.register(async (scope) => {
    scope.decorate('gates', own)
    t.equal(scope.gates, own)
    t.equal(decoratorOf(scope, 'gates'), own)
  })
  await other.ready()
  t.throws(() => other.gates, off, 'the scope above has none')
})
