/** What the loader can read of a plugin before it is registered. */
import { fastify as createFastify } from 'fastify'
import fp from 'fastify-plugin'
import t from 'tap'
import { definePlugin, pluginMeta } from '../../src/plugin/define-plugin.ts'

const optionsSchema = { type: 'object' }

t.test('a plugin of ours carries its schema, and is a fastify-plugin of its name', async (t) => {
  const plugin = definePlugin(async () => {}, {
    name: 'svc-x',
    optionsSchema,
    dependencies: ['svc-a'],
    after: ['svc-b'],
    liveOptions: ['classes']
  })
  t.same(pluginMeta(plugin), {
    name: 'svc-x',
    optionsSchema,
    required: ['svc-a'],
    before: ['svc-a', 'svc-b'],
    liveOptions: ['classes']
  })
  t.match((plugin as unknown as Record<symbol, object>)[Symbol.for('plugin-meta')], {
    name: 'svc-x',
    fastify: '5.x',
    dependencies: ['svc-a']
  })
})

t.test('C10: a plugin without options needs no schema', async (t) => {
  const plugin = definePlugin(async () => {}, { name: 'svc-x' })
  t.strictSame(pluginMeta(plugin), { name: 'svc-x', required: [], before: [], liveOptions: [] })
})

t.test('it is not encapsulated', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  await fastify.register(
    definePlugin(
      async (instance) => {
        instance.decorate('x', 1)
      },
      { name: 'svc-x', optionsSchema }
    )
  )
  t.ok(fastify.hasDecorator('x'))
})

t.test('its dependencies are checked by Fastify too', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  const plugin = definePlugin(async () => {}, { name: 'svc-x', optionsSchema, dependencies: ['svc-a'] })
  await t.rejects(
    async () => {
      await fastify.register(plugin)
    },
    { code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' }
  )
})

t.test('foreign plugins are known by what they say', async (t) => {
  const none = { required: [], before: [], liveOptions: [] }
  t.same(pluginMeta(fp(async () => {}, { name: '@x/y', dependencies: ['a'] })), {
    name: '@x/y',
    required: ['a'],
    before: ['a'],
    liveOptions: []
  })
  t.same(
    pluginMeta(async function routes() {}),
    { name: 'routes', ...none }
  )
  t.same(
    pluginMeta(async () => {}),
    { name: 'anonymous plugin', ...none }
  )
})
