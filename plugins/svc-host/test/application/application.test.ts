/** An application's entry: a plugin for any runner, which knows its config and folder. */
import { pathToFileURL } from 'node:url'
import { fastify as createFastify } from 'fastify'
import fp from 'fastify-plugin'
import t from 'tap'
import { application } from '../../src/application/application.ts'
import { defineConfig, type SvcConfig } from '../../src/config/define-config.ts'

const hello = fp(async (fastify) => {
  fastify.get('/', async () => ({ name: fastify.appHost.name, root: fastify.appHost.root }))
})

t.test('it registers into any Fastify instance', async (t) => {
  const folder = t.testdir({ 'package.json': '{"name":"shop"}', 'svc.config.js': '' })
  const app = application(defineConfig({ modules: [hello] }), pathToFileURL(`${folder}/app.js`).href)
  t.same([app.root, app.configFile, app.config.name], [folder, `${folder}/svc.config.js`, 'shop'])
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  await fastify.register(app)
  t.same((await fastify.inject('/')).json(), { name: 'shop', root: folder })
})

const names: ReadonlyArray<
  [title: string, config: SvcConfig, folder: Record<string, string>, name: string | undefined]
> = [
  ['its own', { name: 'own', modules: [] }, { 'package.json': '{"name":"shop"}' }, 'own'],
  ['of package.json', { modules: [] }, { 'package.json': '{"name":"shop"}' }, 'shop'],
  ['of the package above a broken one', { modules: [] }, { 'package.json': '{' }, 'svc'],
  ['of the package above one without a name', { modules: [] }, { 'package.json': '{"type":"module"}' }, 'svc']
]

for (const [title, config, files, name] of names) {
  t.test(`name: ${title}`, async (t) => {
    const folder = t.testdir(files)
    t.equal(application(config, pathToFileURL(`${folder}/app.js`).href).config.name, name)
  })
}

t.test('the source of the config wins over its build; none is none', async (t) => {
  const both = t.testdir({ 'svc.config.js': '', 'svc.config.ts': '' })
  t.equal(application({ modules: [] }, pathToFileURL(`${both}/app.ts`).href).configFile, `${both}/svc.config.ts`)
  t.equal(application({ modules: [] }, pathToFileURL('/nowhere/app.js').href).configFile, undefined)
})

t.test('a config that is missing is told at boot', async (t) => {
  const app = application(undefined as unknown as SvcConfig, import.meta.url)
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  await t.rejects(
    async () => {
      await fastify.register(app)
    },
    { code: 'SVC_KERNEL_OPTIONS', message: /missing key/ }
  )
})
