/**
 * The code of the documentation works. Each `ts` block type-checks against the
 * packages; a `ts run` block is a program that ends with exit code 0 and
 * prints exactly what the comments behind its `console.log` calls say.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { application, createServer, type SvcConfig } from 'svc-host'
import t from 'tap'
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

t.test('the application of the README answers as the README says', async (t) => {
  const folder = compiledFolder('README.md')
  const { default: config } = (await import(join(folder, 'app/svc.config.js'))) as { default: SvcConfig }
  const entry = pathToFileURL(join(folder, 'app/app.js')).href
  const fastify = await createServer(application({ ...config, mode: 'test' }, entry))
  t.teardown(() => fastify.close())
  const address = await fastify.listen({ host: '127.0.0.1', port: 0 })

  t.match(await fastify.inject('/api/notes'), { statusCode: 200, body: '{"reader":"anonymous","notes":["buy milk"]}' })
  const refused = await fastify.inject({ method: 'POST', url: '/api/notes', body: 'not read, so not a 400' })
  t.equal(refused.statusCode, 403)
  const socket = new WebSocket(`${address.replace('http', 'ws')}/api/notes/live`)
  await once(socket, 'open')
  socket.send('hi')
  const [event] = (await once(socket, 'message')) as [{ data: string }]
  t.equal(event.data, '{"echo":"hi"}')
  socket.close()
  await once(socket, 'close')
})

t.test('a block without a known language is a slip', async (t) => {
  const known = new Set(['ts', 'js', 'json', 'bash', 'text', 'http', 'python', 'go', 'diff', 'mermaid'])
  const unknown = pages.flatMap(({ path, blocks }) =>
    blocks.filter(({ language }) => !known.has(language)).map(({ line, language }) => `${path}:${line} "${language}"`)
  )
  t.strictSame(unknown, [], `languages in use: ${[...known].join(', ')}`)
})
