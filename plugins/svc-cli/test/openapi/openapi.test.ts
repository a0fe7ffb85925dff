/** The command on an application: the document, what changed since it, and a server that keeps to it or not. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createdApp, edit } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

async function aServer(t: Test, answer: unknown): Promise<string> {
  const fastify = Fastify()
  fastify.get('/api/hello', async () => answer)
  fastify.get('/', async (_request, reply) => reply.type('text/html').send('<p>home</p>'))
  t.teardown(() => fastify.close())
  return fastify.listen({ port: 0, host: '127.0.0.1' })
}

t.test('svc openapi', async (t) => {
  const cwd = await createdApp(t)

  await t.test('an application that does not describe its API', async (t) => {
    const { code, stderr } = await runSvc(['openapi'], { cwd })
    t.equal(code, 1)
    t.match(stderr, /SVC_OPENAPI_ABSENT[\s\S]*npx svc module:add openapi/)
  })

  t.equal((await runSvc(['module:add', 'openapi'], { cwd })).code, 0)

  await t.test('the document, printed and written', async (t) => {
    const { code, stdout, stderr } = await runSvc(['openapi'], { cwd })
    t.equal(code, 0, stderr)
    const document = JSON.parse(stdout)
    t.match(document, { openapi: '3.1.0', paths: { '/api/hello': { get: { operationId: 'HelloController.hello' } } } })
    t.equal((await runSvc(['openapi', '--out', 'api.json'], { cwd })).stdout, '')
    t.strictSame(JSON.parse(await readFile(join(cwd, 'api.json'), 'utf8')), document)
  })

  await t.test('another document of the options, and one that there is not', async (t) => {
    const { stdout } = await runSvc(['openapi', '--document', 'admin'], { cwd })
    t.strictSame(Object.keys(JSON.parse(stdout).paths), [])
    const { code, stderr } = await runSvc(['openapi', '--document', 'partners'], { cwd })
    t.equal(code, 2)
    t.match(stderr, /SVC_OPENAPI_USAGE[\s\S]*got partners[\s\S]*main, admin/)
  })

  await t.test('the AsyncAPI document', async (t) => {
    const { code, stdout, stderr } = await runSvc(['openapi', '--asyncapi', '--document', 'admin'], { cwd })
    t.equal(code, 0, stderr)
    t.match(JSON.parse(stdout), { asyncapi: '3.0.0', info: { title: /: admin$/ }, channels: {} })
    t.equal((await runSvc(['openapi', '--asyncapi', '--out', 'sockets.json'], { cwd })).stdout, '')
    t.match(JSON.parse(await readFile(join(cwd, 'sockets.json'), 'utf8')), { asyncapi: '3.0.0' })
  })

  await t.test('in YAML, as the name of the file says', async (t) => {
    for (const [file, given, text] of [
      ['api.yaml', [], /^openapi: 3\.1\.0\n(?:.*\n)*paths:\n(?:.*\n)* {2}\/api\/hello:\n {4}get:\n/],
      ['sockets.YML', ['--asyncapi', '--document', 'admin'], /^asyncapi: 3\.0\.0\n(?:.*\n)*channels: \{\}\n/]
    ] as const) {
      const { code, stderr } = await runSvc(['openapi', ...given, '--out', file], { cwd })
      t.equal(code, 0, stderr)
      t.match(await readFile(join(cwd, file), 'utf8'), text)
    }
  })

  await t.test('options that cannot be used', async (t) => {
    for (const given of [
      ['--against', 'none.json'],
      ['--check', 'localhost'],
      ['--asyncapi', '--check', 'http://a'],
      ['--check', 'http://a', '--requests', '0']
    ]) {
      const { code, stderr } = await runSvc(['openapi', ...given], { cwd })
      t.equal(code, 2)
      t.match(stderr, 'SVC_OPENAPI_USAGE')
    }
  })

  await t.test('a server', async (t) => {
    const honest = await runSvc(['openapi', '--check', await aServer(t, { hello: 'world' })], { cwd })
    t.equal(honest.code, 0, honest.stderr)
    t.match(honest.stdout, '+ GET /api/hello: 20 requests, 20 x 200')
    const gone = await runSvc(['openapi', '--check', 'http://127.0.0.1:1'], { cwd })
    t.equal(gone.code, 1)
    t.match(gone.stderr, 'SVC_OPENAPI_UNREACHABLE')
    await edit(cwd, 'controllers/hello.ts', [
      "@Get('/hello')",
      "@Get('/hello', { schema: { response: { 200: { type: 'object', properties: { hello: { type: 'string' } } } } } })"
    ])
    const wrong = await runSvc(['openapi', '--check', await aServer(t, { hello: 1 })], { cwd })
    t.equal(wrong.code, 1)
    t.match(
      wrong.stdout,
      /! GET \/api\/hello: 20 requests, 20 x 200\n +answers 200 with a body .* \/hello must be string\n +GET \/api\/hello/
    )
    t.match(wrong.stderr, /SVC_OPENAPI_UNTRUE[\s\S]*GET \/api\/hello/)
  })

  await t.test('examples that their schemas refuse', async (t) => {
    await edit(cwd, 'controllers/hello.ts', ["{ type: 'string' }", "{ type: 'string', examples: ['hi', 7] }"])
    const { code, stdout, stderr } = await runSvc(['openapi', '--check', await aServer(t, { hello: 'world' })], { cwd })
    t.equal(code, 1)
    const at = '/responses/200/content/application~1json/schema/properties/hello/examples/1'
    t.match(
      stdout,
      `! GET /api/hello: 20 requests, 20 x 200\n    the example ${at} leaves its schema: / must be string\n`
    )
    t.match(stderr, /SVC_OPENAPI_UNTRUE[\s\S]*GET \/api\/hello/)
    await edit(cwd, 'controllers/hello.ts', ["examples: ['hi', 7]", "examples: ['hi']"])
    const honest = await runSvc(['openapi', '--check', await aServer(t, { hello: 'world' })], { cwd })
    t.equal(honest.code, 0, honest.stdout)
  })

  await t.test('changes', async (t) => {
    await runSvc(['openapi', '--out', 'api.json'], { cwd })
    const same = await runSvc(['openapi', '--against', 'api.json'], { cwd })
    t.strictSame([same.code, same.stdout], [0, 'no changes\n'])
    await edit(cwd, 'controllers/hello.ts', ['hello: { type', 'greeting: { type'])
    const changed = await runSvc(['openapi', '--against', 'api.json'], { cwd })
    t.equal(changed.code, 1)
    t.match(changed.stdout, /breaking +GET \/api\/hello +response 200 \/hello +is gone/)
    t.match(changed.stderr, 'SVC_OPENAPI_BREAKING')
    const { stdout } = await runSvc(['openapi', '--against', 'api.json', '--json'], { cwd })
    t.match(JSON.parse(stdout), [{ breaking: true, operation: 'GET /api/hello', at: 'response 200 /hello' }])
  })
})
