/** A request of this process: what it sends arrives, what is answered comes back, and its end is seen on both sides. */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { type InnerCall, innerCall } from '../../src/ports/inner-call.ts'

async function built(t: Test): Promise<{ app: FastifyInstance; opened: FastifyRequest[]; left: Promise<unknown> }> {
  const app = Fastify()
  t.teardown(() => app.close())
  const opened: FastifyRequest[] = []
  const { promise: left, resolve } = waiting()
  app.post('/echo', async ({ body, ip, headers }) => ({ body, ip, agent: headers['user-agent'] }))
  app.get('/pieces', (_request, reply) => reply.type('text/plain').send(Readable.from(['één ', Buffer.from('twee')])))
  app.get('/late', (request) => {
    opened.push(request)
    request.raw.once('aborted', resolve)
    return new Promise(() => undefined)
  })
  await app.ready()
  return { app, opened, left }
}

function waiting(): { promise: Promise<unknown>; resolve: (value?: unknown) => void } {
  let resolve: (value?: unknown) => void = () => undefined
  const promise = new Promise((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

const get = (url: string, more: Partial<InnerCall> = {}): InnerCall => ({
  method: 'GET',
  url,
  headers: { host: 'localhost', 'user-agent': 'tests' },
  remoteAddress: '192.0.2.7',
  mark: () => undefined,
  ...more
})

t.test('a body is read once, and a text comes back as one', async (t) => {
  const { app } = await built(t)
  const headers = { host: 'localhost', 'user-agent': 'tests', 'content-type': 'application/json' }
  const call = get('/echo', { method: 'POST', headers, body: '{"text":"é"}' })
  const { status, headers: answered, body } = await innerCall(app, call).answer
  t.equal(status, 200)
  t.match(answered['content-type'], 'application/json')
  t.equal(body, '{"body":{"text":"é"},"ip":"192.0.2.7","agent":"tests"}')
})

t.test('pieces come as one, up to the bytes that are asked for', async (t) => {
  const { app } = await built(t)
  t.equal(String((await innerCall(app, get('/pieces')).answer).body), 'één twee')
  t.equal(String((await innerCall(app, get('/pieces', { maxBytes: 10 })).answer).body), 'één twee')
  t.equal((await innerCall(app, get('/pieces', { maxBytes: 9 })).answer).body, null)
})

t.test('an aborted call is a client that is gone', async (t) => {
  const { app, opened, left } = await built(t)
  const { answer, abort } = innerCall(app, get('/late'))
  const closed = once((opened[0] as FastifyRequest).raw, 'close')
  abort(new Error('too late'))
  await t.rejects(answer, /too late/)
  await left
  await closed
  t.ok((opened[0] as FastifyRequest).raw.destroyed)
})
