/** `svc client`: a package from a document, which compilers of TypeScript 5 and 7 read. */
import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import t from 'tap'
import { sandbox, write } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))
const CONDUIT = join(ROOT, 'test/vectors/conduit-api.json')

const require = createRequire(import.meta.url)
/** 7, and the 5 that tap brings. */
const COMPILERS = [
  require.resolve('typescript/package.json'),
  createRequire(require.resolve('@tapjs/test/package.json')).resolve('typescript/package.json')
]

const USE = `import { createClient, type Article, type Routes } from './conduit/index.js'

const api = createClient<Routes>({ baseUrl: 'https://conduit.example/api' })
const { article } = await api.call('GET /articles/:slug', { params: { slug: 'a' } })
const same: Article = article
const { articles } = await api.call('GET /articles', { query: { tag: 'x', limit: 1 } })
await api.call('POST /users', { body: { user: { username: 'a', email: 'b', password: 'c' } } })
// @ts-expect-error a password is missing
await api.call('POST /users', { body: { user: { username: 'a', email: 'b' } } })
const outcome = await api.attempt('GET /user')
if (!outcome.ok && outcome.error.code === 'SVC_CLIENT_STATUS') {
  const status: number = outcome.error.status
  void [status, same, articles[0]?.author.following]
}
`

t.test('a package of the description of another server', async (t) => {
  const cwd = sandbox(t)
  const { code, stdout, stderr } = await runSvc(['client', '--openapi', CONDUIT, '--out', 'conduit'], { cwd })
  t.equal(code, 0, stderr)
  t.equal(stdout, 'wrote 19 routes to conduit\n')
  t.match(JSON.parse(readFileSync(join(cwd, 'conduit/package.json'), 'utf8')), {
    name: 'conduit',
    type: 'module',
    dependencies: { 'svc-client': /^\^/ }
  })
  symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'))
  await write(cwd, 'package.json', '{"type":"module"}')
  await write(cwd, 'use.ts', USE)
  const flags = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', 'use.ts']
  const majors = COMPILERS.map((path) => {
    execFileSync(process.execPath, [join(dirname(path), 'bin/tsc'), ...flags], { cwd, stdio: 'pipe' })
    return (require(path) as { version: string }).version.split('.')[0]
  })
  t.strictSame(majors, ['7', '5'])
  t.equal(
    (await runSvc(['client', '--openapi', CONDUIT, '--out', 'conduit'], { cwd })).code,
    0,
    'it may be written again'
  )
})

t.test('from a URL; errors of svc have their codes', async (t) => {
  const server = Fastify()
  t.teardown(() => server.close())
  const error = { type: 'object', required: ['statusCode', 'code'], properties: { code: { type: 'string' } } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'shop', version: '1.2.3' },
    components: {
      schemas: { Error: error, Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } },
      responses: { Conflict: { description: 'Codes of this route: `SHOP_SOLD_OUT`.' } }
    },
    paths: {
      '/nodes/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: {
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } } },
            409: { $ref: '#/components/responses/Conflict' }
          }
        }
      }
    }
  }
  server.get('/json', () => document)
  const url = `${await server.listen({ host: '127.0.0.1', port: 0 })}/json?token=secret`
  const cwd = sandbox(t)
  t.equal((await runSvc(['client', '--openapi', url, '--out', 'shop', '--name', '@my/shop'], { cwd })).code, 0)
  const types = readFileSync(join(cwd, 'shop/index.d.ts'), 'utf8')
  t.match(types, 'export type Node = { next?: Node }')
  t.match(types, "'GET /nodes/:id': { input: { params: { id: PathValue } }; answer: Node; errors: Errors1 }")
  t.match(types, /Errors1 \{.*SHOP_SOLD_OUT: 409/)
  t.match(JSON.parse(readFileSync(join(cwd, 'shop/package.json'), 'utf8')), { name: '@my/shop', version: '1.2.3' })

  const missing = await runSvc(['client', '--openapi', `${url.replace('/json', '/none')}`, '--out', 'x'], { cwd })
  t.equal(missing.code, 1)
  t.match(missing.stderr, /SVC_CLIENT_OPENAPI[\s\S]*got the server answered 404/)
  t.notMatch(missing.stderr, 'secret')
})

t.test('what is no document, and a folder that belongs to another', async (t) => {
  const cwd = sandbox(t)
  await write(cwd, 'swagger.json', '{"swagger":"2.0","paths":{}}')
  const old = await runSvc(['client', '--openapi', 'swagger.json', '--out', 'x'], { cwd })
  t.match(old.stderr, /✖ SVC_CLIENT_OPENAPI/)
  await write(cwd, 'mine/package.json', '{"name":"mine"}')
  const taken = await runSvc(['client', '--openapi', CONDUIT, '--out', 'mine'], { cwd })
  t.equal(taken.code, 1)
  t.match(taken.stderr, /✖ SVC_CLIENT_TAKEN/)
  t.equal(readFileSync(join(cwd, 'mine/package.json'), 'utf8'), '{"name":"mine"}')
})
