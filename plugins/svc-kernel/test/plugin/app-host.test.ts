/** What plugins learn of the application around them. */
import { fastify as createFastify } from 'fastify'
import t from 'tap'
import { appHost, nativeImport } from '../../src/plugin/app-host.ts'

t.test('without a loader: a production application in the working folder', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  t.same(appHost(fastify), {
    name: 'app',
    root: process.cwd(),
    mode: 'production',
    checkOnly: false,
    importModule: nativeImport
  })
})

t.test('files are imported by absolute path, whatever characters it has', async (t) => {
  const folder = t.testdir({ 'a #1 %.mjs': 'export const answer = 42' })
  t.equal((await nativeImport(`${folder}/a #1 %.mjs`)).answer, 42)
})

t.test('what a file throws while it loads passes as it is', async (t) => {
  const folder = t.testdir({ 'a.mjs': "throw new RangeError('no luck')" })
  await t.rejects(nativeImport(`${folder}/a.mjs`), new RangeError('no luck'))
})

t.test('a file that does not compile is named', async (t) => {
  const folder = t.testdir({ 'a.mjs': 'export const = 1' })
  await t.rejects(nativeImport(`${folder}/a.mjs`), { code: 'SVC_SOURCE_SYNTAX', message: /a\.mjs/ })
})
