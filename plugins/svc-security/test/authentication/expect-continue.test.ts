/** `Expect: 100-continue`: a refused caller hears so instead of "continue"; an admitted one is not left waiting. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { guardHooks } from 'svc-kernel'
import t from 'tap'
import { requires, securedApp } from '../support/guarded-app.ts'
import { HeaderAuthenticator } from '../support/tokens.ts'

async function listening() {
  const app = await securedApp({
    areas: { api: { pattern: '^/api', authenticators: ['key'] } },
    parts: { authenticators: { key: new HeaderAuthenticator('key') } }
  })
  app.post('/api/parsed', guardHooks(requires('ROLE_USER')), async (request) => request.body)
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('text/plain', (_request, payload, done) => done(null, payload))
  app.post('/api/streamed', async (request) => {
    let read = ''
    for await (const chunk of request.body as AsyncIterable<Buffer>) read += String(chunk)
    return { read }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

/** Sends the head, then the body only once told to continue; resolves with all that came back. */
async function expecting(app: FastifyInstance, path: string, type: string, body: string, headers: string[]) {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Expect: 100-continue',
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    ...headers
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  let received = ''
  let sent = false
  socket.on('data', (chunk) => {
    received += String(chunk)
    if (!sent && received.startsWith('HTTP/1.1 100')) {
      sent = true
      socket.end(body)
    }
  })
  await once(socket, 'close')
  return received
}

t.test('no proof: 401 and no "continue", connection closed', async (t) => {
  const app = await listening()
  t.teardown(() => app.close())
  const received = await expecting(app, '/api/parsed', 'application/json', '{"a":1}', [])
  t.match(received, /^HTTP\/1\.1 401 /)
  t.match(received, /connection: close/i)
})

t.test('not permitted: 403 and no "continue"', async (t) => {
  const app = await listening()
  t.teardown(() => app.close())
  t.match(await expecting(app, '/api/parsed', 'application/json', '{"a":1}', ['x-key: alice']), /^HTTP\/1\.1 403 /)
})

t.test('permitted: "continue", then the answer on a connection that may be kept', async (t) => {
  const app = await listening()
  t.teardown(() => app.close())
  const received = await expecting(app, '/api/parsed', 'application/json', '{"a":1}', ['x-key: alice:ROLE_USER'])
  t.match(received, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/)
  t.match(received, /\{"a":1\}$/)
  t.notMatch(received, /connection: close/i)
})

t.test('a body read as a stream by the handler is asked for when it is read', async (t) => {
  const app = await listening()
  t.teardown(() => app.close())
  const received = await expecting(app, '/api/streamed', 'text/plain', 'raw', ['x-key: alice'])
  t.match(received, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/)
  t.match(received, /\{"read":"raw"\}$/)
})

t.test('a server on which somebody else answers the expectation is left alone', async (t) => {
  const app = (await import('fastify')).default()
  let asked = 0
  app.server.on('checkContinue', (_request, response) => {
    asked += 1
    response.writeHead(417).end()
  })
  await app.register((await import('../../src/index.ts')).default, {})
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  t.match(await expecting(app, '/', 'text/plain', 'x', ['Connection: close']), /^HTTP\/1\.1 417 /)
  t.equal(asked, 1)
})
