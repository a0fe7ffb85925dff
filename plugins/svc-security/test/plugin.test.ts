/** The plugin by itself on a bare Fastify: registered once, on the root, gone when closed. */
import Fastify from 'fastify'
import { guardHooks } from 'svc-kernel'
import t from 'tap'
import svcSecurity from '../src/index.ts'
import { requires } from './support/guarded-app.ts'

t.test('alone, without options: public routes are served, guarded ones closed', async (t) => {
  const app = Fastify()
  await app.register(svcSecurity)
  app.get('/public', async () => 'hello')
  app.get('/guarded', guardHooks(requires('ROLE_USER')), async () => 'secret')
  t.equal((await app.inject('/public')).body, 'hello')
  t.equal((await app.inject('/guarded')).statusCode, 403)
  await app.close()
})

t.test('its name, and what it decorates', async (t) => {
  const meta = (svcSecurity as unknown as Record<symbol, { name: string }>)[Symbol.for('plugin-meta')]
  t.match(meta, { name: 'svc-security', fastify: '5.x' })
  const app = Fastify()
  await app.register(svcSecurity)
  t.ok(app.hasDecorator('firewall') && app.hasDecorator('jury') && app.hasDecorator('accessGate'))
  t.equal(app.accessGate.ready, true)
  await app.close()
})

t.test('in a scope it refuses: siblings and unknown URLs would stay open', async (t) => {
  const app = Fastify()
  app.register(async (scope) => void (await scope.register(svcSecurity)), { prefix: '/api' })
  const error = await app.ready().then(
    () => null,
    (thrown: unknown) => thrown
  )
  t.match(error, { problems: [{ code: 'SVC_SEC_NOT_ROOT' }] })
  await app.close()
})

t.test('N6: twice is refused, in words', async (t) => {
  const app = Fastify()
  app.register(svcSecurity)
  app.register(svcSecurity)
  await t.rejects(async () => app.ready(), {
    code: 'SVC_MODULE_DUPLICATE',
    problems: [{ message: /svc-security is registered twice/, fix: /remove one/ }]
  })
  await app.close()
})

t.test('a closed application leaves nothing behind', async (t) => {
  const before = process.getActiveResourcesInfo().length
  const app = Fastify()
  const later = { supports: () => true, vote: async () => 'GRANT' as const }
  await app.register(svcSecurity, {
    areas: { all: { pattern: '^/', authenticators: ['anonymous'] } },
    parts: { voters: [later] }
  })
  app.get('/x', guardHooks(requires('verb')), async () => 'x')
  t.equal((await app.inject('/x')).statusCode, 200)
  await app.close()
  await new Promise(setImmediate)
  t.ok(process.getActiveResourcesInfo().length <= before + 1)
})
