/** Where an application keeps its data: its own folder, whatever was started from wherever. */
import { existsSync } from 'node:fs'
import { join, parse } from 'node:path'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import t from 'tap'
import { nativeImport } from '../../src/plugin/app-host.ts'
import { applicationFolder, dataPath } from '../../src/plugin/data-path.ts'

t.test('the nearest folder with a package.json or a config, this one first', async (t) => {
  const inner = { 'package.json': '{}', dist: { src: {} } }
  const outer = t.testdir({ 'package.json': '{}', inner, dist: {}, bare: { 'svc.config.ts': '', dist: {} } })
  t.equal(applicationFolder(outer), outer)
  t.equal(applicationFolder(`${outer}/dist`), outer)
  t.equal(applicationFolder(`${outer}/inner/dist/src`), `${outer}/inner`)
  t.equal(applicationFolder(`${outer}/bare/dist`), `${outer}/bare`)
})

t.test('none up to the root of the file system: the folder itself', async (t) => {
  const nowhere = `${parse(process.cwd()).root}no-such-folder/app`
  t.equal(applicationFolder(nowhere), nowhere)
})

/** As the module loader leaves it. */
function loaded(root: string): FastifyInstance {
  const fastify = createFastify()
  fastify.decorate('appHost', { name: 'app', root, mode: 'test', checkOnly: false, importModule: nativeImport })
  return fastify
}

t.test('R4: a relative path starts at the application, from the sources and from the build', async (t) => {
  const folder = t.testdir({ 'package.json': '{}', dist: {} })
  for (const root of [folder, join(folder, 'dist')]) {
    const fastify = loaded(root)
    t.equal(dataPath(fastify, 'data/documents.db'), join(folder, 'data/documents.db'))
    t.equal(dataPath(fastify, '/var/lib/shop.db'), '/var/lib/shop.db')
  }
})

t.test('R4: without the loader it starts at the working directory', async (t) => {
  t.equal(dataPath(createFastify(), 'data/app.db'), join(process.cwd(), 'data/app.db'))
})

t.test('R4: data that was left in the build is told of, never passed over', async (t) => {
  const folder = t.testdir({ 'package.json': '{}', dist: { data: { 'documents.db': 'rows' }, keys: {} } })
  const fastify = loaded(join(folder, 'dist'))
  const target = join(folder, 'data/documents.db')
  t.throws(() => dataPath(fastify, 'data/documents.db'), {
    code: 'SVC_DATA_MOVED',
    problems: [{ at: join(folder, 'dist/data/documents.db'), expected: target, fix: /^mkdir -p .* && mv .*db\* / }]
  })
  t.throws(() => dataPath(fastify, 'keys'), { code: 'SVC_DATA_MOVED', problems: [{ fix: /mv \S+dist\/keys / }] })
  t.notOk(existsSync(target), 'and nothing was made')
})

t.test('R4: data at its place is used, whatever else lies in the build', async (t) => {
  const folder = t.testdir({
    'package.json': '{}',
    data: { 'documents.db': 'new' },
    dist: { data: { 'documents.db': 'old' } }
  })
  t.equal(dataPath(loaded(join(folder, 'dist')), 'data/documents.db'), join(folder, 'data/documents.db'))
})
