/** The server of an application: its options, its parts, and what is left when its boot fails. */

import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { appHost } from 'svc-kernel'
import t, { type Test } from 'tap'
import { type Application, application } from '../../src/application/application.ts'
import type { SvcConfig } from '../../src/config/define-config.ts'
import { DevLog } from '../../src/logging/dev-log.ts'
import { createServer, type ServerParts } from '../../src/server/http.ts'

const app = (config: SvcConfig): Application => application({ mode: 'test', ...config }, import.meta.url)

async function server(t: Test, config: SvcConfig, parts?: ServerParts): Promise<FastifyInstance> {
  const fastify = await createServer(app(config), parts)
  t.teardown(() => fastify.close())
  return fastify
}

t.test('the modules are loaded, nothing listens yet', async (t) => {
  const fastify = await server(t, {
    modules: [async (routes: FastifyInstance) => void routes.get('/', async () => 'hello')]
  })
  t.equal(fastify.server.listening, false)
  t.equal((await fastify.inject('/')).body, 'hello')
})

t.test('when a module fails, what was opened before it is closed', async (t) => {
  const journal: string[] = []
  const opening = fp(async (fastify: FastifyInstance) => {
    journal.push('opened')
    fastify.addHook('onClose', async () => void journal.push('closed'))
  })
  const thrown = new Error('no luck')
  await t.rejects(createServer(app({ modules: [opening, async () => Promise.reject(thrown)] })), thrown)
  t.same(journal, ['opened', 'closed'])
})

t.test('a wrong config stops it before Fastify sees the options', async (t) => {
  const config = { server: { bodyLimit: 'x', port: 70_000 }, modules: [] } as unknown as SvcConfig
  await t.rejects(createServer(app(config)), { code: 'SVC_KERNEL_OPTIONS', message: /^2 problems/ })
})

t.test('bodies of one mebibyte, or what the config says', async (t) => {
  const routes = async (fastify: FastifyInstance): Promise<void> => void fastify.post('/', async () => 'read')
  const post = { method: 'POST', url: '/', headers: { 'content-type': 'text/plain' } } as const
  const usual = await server(t, { modules: [routes] })
  t.equal((await usual.inject({ ...post, payload: 'x'.repeat(1_048_576) })).statusCode, 200)
  t.equal((await usual.inject({ ...post, payload: 'x'.repeat(1_048_577) })).statusCode, 413)
  const small = await server(t, { server: { bodyLimit: 3 }, modules: [routes] })
  t.equal((await small.inject({ ...post, payload: 'xxxx' })).statusCode, 413)
})

t.test('a plugin learns before it is ready whether the application only boots to be checked', async (t) => {
  const connects = async (given: ServerParts | undefined): Promise<boolean> => {
    let connected = false
    const driver = fp(async (fastify: FastifyInstance) => {
      fastify.addHook('onReady', async () => {
        connected = !appHost(fastify).checkOnly
      })
    })
    await (await server(t, { modules: [driver] }, given)).ready()
    return connected
  }
  t.equal(await connects(undefined), true)
  t.equal(await connects({ checkOnly: false }), true)
  t.equal(await connects({ checkOnly: true }), false)
})

t.test('a runner may bring its server, its importer and its log', async (t) => {
  const own = createHttpServer()
  const importModule = async (): Promise<Record<string, unknown>> => ({})
  const lines: string[] = []
  const output = { write: (text: string) => lines.push(text) } as unknown as NodeJS.WritableStream
  const fastify = await server(
    t,
    { mode: 'development', modules: [] },
    {
      serverFactory: (handler) => own.on('request', handler),
      importModule,
      devLog: new DevLog(output, (_style, text) => text)
    }
  )
  t.equal(fastify.server, own)
  t.equal(own.listenerCount('connection'), createHttpServer().listenerCount('connection'), 'nobody watches it')
  t.equal(fastify.appHost.importModule, importModule)
  fastify.log.info('hello')
  t.same(lines, ['info  hello\n'])
})

t.test('TRACE is answered like an unknown route, and echoes nothing', async (t) => {
  const fastify = await server(t, {
    modules: [async (routes: FastifyInstance) => void routes.get('/', async () => 'hello')]
  })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = fastify.server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port })
  socket.end('TRACE / HTTP/1.1\r\nHost: localhost\r\nX-Secret: hunter2\r\nConnection: close\r\n\r\n')
  let answer = ''
  for await (const text of socket.setEncoding('latin1')) answer += text
  t.match(answer, /^HTTP\/1\.1 404 /)
  t.notMatch(answer, /hunter2/i)
})
