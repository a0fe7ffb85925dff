/** The loader: everything is checked before anything is registered, and registered in order. */

import { fastify as createFastify, type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { appHost, type BootError, definePlugin } from 'svc-kernel'
import t, { type Test } from 'tap'
import { loadModules } from '../../src/application/load-modules.ts'
import { defineConfig } from '../../src/config/define-config.ts'

const optionsSchema = { type: 'object', additionalProperties: false, properties: { size: { type: 'integer' } } }

function instance(t: Test): FastifyInstance {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  return fastify
}

/** A plugin that writes down when it is registered, and with what. */
function noting(name: string, journal: unknown[]): FastifyPluginAsync {
  return definePlugin(
    async (_fastify, options) => {
      journal.push([name, options])
    },
    { name, optionsSchema }
  )
}

t.test('modules register in the order of the list, each after the one before is done', async (t) => {
  const fastify = instance(t)
  const journal: unknown[] = []
  const slow = fp(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    journal.push(['slow'])
  })
  const config = defineConfig({ modules: [noting('svc-a', journal), slow, [noting('svc-b', journal), { size: 1 }]] })
  await loadModules(fastify, config, { root: '/app' })
  t.same(journal, [['svc-a', {}], ['slow'], ['svc-b', { size: 1 }]])
})

t.test('nothing is registered while anything is wrong', async (t) => {
  const fastify = instance(t)
  const journal: unknown[] = []
  const text = 'export default defineConfig({\n  modules: [svcA,\n    [svcB, { sise: 1 }]]\n})'
  const folder = t.testdir({ 'svc.config.ts': text })
  const config = defineConfig({ modules: [noting('svc-a', journal), [noting('svc-b', journal), { sise: 1 }]] })
  try {
    await loadModules(fastify, config, { root: folder, configFile: `${folder}/svc.config.ts` })
    t.fail('it loaded')
  } catch (error) {
    t.match((error as BootError).problems, [
      { at: 'svc.config.ts:3  svc-b.sise', message: 'unknown key (did you mean size?)' }
    ])
  }
  t.same(journal, [])
  t.notOk(fastify.hasDecorator('appHost'))
})

t.test('what a module throws while it registers passes as it is', async (t) => {
  const thrown = new Error('no luck')
  const config = defineConfig({ modules: [async () => Promise.reject(thrown)] })
  await t.rejects(loadModules(instance(t), config, { root: '/app' }), thrown)
})

t.test('the host: production unless said otherwise, importing natively unless told how', async (t) => {
  const bare = instance(t)
  await loadModules(bare, defineConfig({ modules: [] }), { root: '/app' })
  t.match(appHost(bare), { name: 'app', root: '/app', mode: 'production', checkOnly: false })
  t.ok(Object.isFrozen(appHost(bare)))

  const told = instance(t)
  const importModule = async (): Promise<Record<string, unknown>> => ({})
  const listed: FastifyPluginAsync<object> = Object.assign(async () => undefined, {
    [Symbol.for('plugin-meta')]: { name: 'listed' }
  })
  const modules = [[listed, { a: 1 }]] as const
  await loadModules(told, defineConfig({ name: 'shop', mode: 'development', modules: [...modules] }), {
    root: '/app',
    importModule,
    checkOnly: true
  })
  t.same(
    { ...appHost(told) },
    {
      name: 'shop',
      root: '/app',
      mode: 'development',
      checkOnly: true,
      importModule,
      modules: [{ name: 'listed', options: { a: 1 } }]
    }
  )
})

for (const mode of ['production', 'development', 'test'] as const) {
  t.test(`error answers in ${mode}`, async (t) => {
    const fastify = instance(t)
    const routes: FastifyPluginAsync = async (child) => {
      child.get('/fails', async () => Promise.reject(new Error('a cause')))
    }
    await loadModules(fastify, defineConfig({ mode, modules: [routes] }), { root: '/app' })
    t.equal((await fastify.inject('/fails')).json().message, mode === 'production' ? 'internal error' : 'a cause')
    t.equal((await fastify.inject('/nope')).json().code, 'SVC_HTTP_NOT_FOUND')
  })
}

t.test('a module may answer unknown paths itself', async (t) => {
  const fastify = instance(t)
  const spa = fp(async (app) => {
    app.setNotFoundHandler((_request, reply) => reply.send('index.html'))
  })
  await loadModules(fastify, defineConfig({ modules: [spa] }), { root: '/app' })
  t.equal((await fastify.inject('/nope')).body, 'index.html')
})
