/**
 * The code of the documentation works. Each `ts` block type-checks against the
 * packages; a `ts run` block is a program that ends with exit code 0 and
 * prints exactly what the comments behind its `console.log` calls say.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import svcDecorators from 'svc-decorators'
import { application, createServer, defineConfig, type SvcConfig } from 'svc-host'
import svcSecurity from 'svc-security'
import t from 'tap'
import { API_PAGES } from './documentation/api-report.ts'
import {
  compiledFolder,
  compileExamples,
  examplesOf,
  promisedOutput,
  runExample
} from './documentation/example-project.ts'
import { readPage } from './documentation/markdown-page.ts'
import { documentationPages, inRepository } from './documentation/repository.ts'

const pages = documentationPages().map((path) => readPage(path, readFileSync(inRepository(path), 'utf8')))
const examples = pages.flatMap(examplesOf)

t.test('every TypeScript block of the documentation type-checks', async (t) => {
  t.ok(examples.length > 0, 'there are examples')
  t.strictSame(await compileExamples(examples), [])
})

t.test('programs of the documentation run, and print what they promise', async (t) => {
  const programs = examples.filter(({ block }) => block.words.includes('run'))
  t.ok(programs.length > 0, 'there are programs')
  for (const program of programs) {
    const place = `${program.page}:${program.line}`
    const { code, stdout, stderr } = await runExample(program)
    t.equal(code, 0, `${place} exits with 0\n${stderr}`)
    t.strictSame(stdout.split('\n').filter(Boolean), promisedOutput(program), `${place} prints what it promises`)
  }
})

t.test('the controller of the README answers as the README says', async (t) => {
  const { Todos } = (await import(join(compiledFolder('README.md'), 'app/controllers/todos.js'))) as { Todos: never }
  const modules: SvcConfig['modules'] = [
    [svcSecurity, { areas: { api: { pattern: '^/api', authenticators: ['anonymous'] } } }],
    [svcDecorators, { controllers: [Todos] }]
  ]
  const fastify = await createServer(application(defineConfig({ mode: 'test', modules }), import.meta.url))
  t.teardown(() => fastify.close())
  const address = await fastify.listen({ host: '127.0.0.1', port: 0 })

  const answer = '{"reader":"anonymous","todos":["buy milk"]}'
  t.ok(pages.some(({ path, prose }) => path === 'README.md' && prose.some((line) => line.includes(answer))))
  t.match(await fastify.inject('/api/todos'), { statusCode: 200, body: answer })
  const refused = await fastify.inject({ method: 'POST', url: '/api/todos', body: 'not read, so not a 400' })
  t.equal(refused.statusCode, 403)
  const socket = new WebSocket(`${address.replace('http', 'ws')}/api/todos`)
  await once(socket, 'open')
  socket.send('')
  const [event] = (await once(socket, 'message')) as [{ data: string }]
  t.equal(event.data, answer)
  socket.close()
  await once(socket, 'close')
})

t.test('a block without a known language is a slip', async (t) => {
  const known = new Set([
    'ts',
    'js',
    'json',
    'bash',
    'text',
    'http',
    'python',
    'go',
    'diff',
    'mermaid',
    'haproxy',
    'yaml'
  ])
  // Declarations that are generated are no examples: test/interop/public-names.test.ts compares them.
  const isGenerated = (path: string, language: string) => path.startsWith(`${API_PAGES}/`) && language === 'typescript'
  const unknown = pages.flatMap(({ path, blocks }) =>
    blocks
      .filter(({ language }) => !known.has(language) && !isGenerated(path, language))
      .map(({ line, language }) => `${path}:${line} "${language}"`)
  )
  t.strictSame(unknown, [], `languages in use: ${[...known].join(', ')}`)
})
