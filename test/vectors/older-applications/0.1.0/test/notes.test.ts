/** notes: every route of the controller, on rows kept in memory. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import svcDecorators from 'svc-decorators'
import { application, createServer, defineConfig } from 'svc-kernel'
import svcOrm from 'svc-orm'
import { NotesController } from '../controllers/notes.ts'

const path = '/api/notes'
const first = { title: 'one', body: 'a longer text' }
const second = { title: 'two', body: 'another one' }

async function serve(t: TestContext) {
  const config = defineConfig({
    mode: 'test',
    server: { logger: false },
    modules: [
      [svcOrm, { memory: true }],
      [svcDecorators, { controllers: [NotesController] }]
    ]
  })
  const fastify = await createServer(application(config, import.meta.url))
  t.after(() => fastify.close())
  await fastify.ready()
  return fastify
}

test('a row is created, read, replaced, changed and removed', async (t) => {
  const fastify = await serve(t)
  const created = await fastify.inject({ method: 'POST', url: path, body: first })
  assert.equal(created.statusCode, 201)
  const { id } = created.json()
  const url = `${path}/${id}`
  assert.equal(created.headers.location, url)
  assert.deepEqual(created.json(), { id, ...first })
  assert.deepEqual((await fastify.inject(url)).json(), { id, ...first })

  const replaced = await fastify.inject({ method: 'PUT', url, body: second })
  assert.deepEqual(replaced.json(), { id, ...second })
  const changed = await fastify.inject({ method: 'PATCH', url, body: { title: first.title } })
  assert.deepEqual(changed.json(), { id, ...second, title: first.title })

  assert.equal((await fastify.inject({ method: 'DELETE', url })).statusCode, 204)
  assert.equal((await fastify.inject(url)).statusCode, 404)
})

test('a list has pages; an unknown parameter is refused', async (t) => {
  const fastify = await serve(t)
  for (const body of [first, second]) await fastify.inject({ method: 'POST', url: path, body })
  const { items, ...rest } = (await fastify.inject(`${path}?limit=1&order=id:ASC`)).json()
  assert.equal(items.length, 1)
  assert.deepEqual(rest, { limit: 1, offset: 0, hasNext: true, total: 2 })
  assert.equal((await fastify.inject(`${path}?unknown=1`)).statusCode, 400)
})

test('a WebSocket gets the same list', async (t) => {
  const fastify = await serve(t)
  await fastify.inject({ method: 'POST', url: path, body: first })
  const address = await fastify.listen({ host: '127.0.0.1', port: 0 })
  const socket = new WebSocket(address.replace('http', 'ws') + path)
  t.after(() => socket.close())
  await once(socket, 'open')
  socket.send('')
  const [{ data }] = await once(socket, 'message')
  assert.deepEqual(JSON.parse(data), (await fastify.inject(path)).json())
})

test('a body without title is refused, and says so', async (t) => {
  const fastify = await serve(t)
  const { title: _, ...others } = first
  const refused = await fastify.inject({ method: 'POST', url: path, body: others })
  assert.equal(refused.statusCode, 400)
  assert.deepEqual(refused.json().details, [{ path: '/title', message: 'is required' }])
})
