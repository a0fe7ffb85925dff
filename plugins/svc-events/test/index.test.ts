/** The plugin alone on a bare Fastify: closed routes, the journal, the documents, and what ends the boot. */
import Fastify from 'fastify'
import svcJobs from 'svc-jobs'
import t, { type Test } from 'tap'
import svcEvents, { defineEvents, type SvcEventsOptions } from '../src/index.ts'

const events = defineEvents({
  'ticket.created': { data: { type: 'object', required: ['title'] }, version: 2, example: { title: 'a' } }
})
const KEY = Buffer.alloc(32, 7).toString('base64')
const path = '/api/organizations/:organization'

async function opened(t: Test, options: Partial<SvcEventsOptions> = {}, jobs = false) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  if (jobs) await fastify.register(svcJobs)
  await fastify.register(svcEvents, { events, path, encryptionKey: KEY, ...options })
  return fastify
}

t.test('every route is closed without svc-security', async (t) => {
  const fastify = await opened(t)
  await fastify.ready()
  const base = '/api/organizations/acme'
  for (const url of [
    '/webhooks',
    '/webhooks/wh_1',
    '/webhooks/wh_1/deliveries',
    '/events',
    '/events/types',
    '/events/export',
    '/events/1'
  ]) {
    t.equal((await fastify.inject(base + url)).statusCode, 403, url)
  }
  for (const url of ['/webhooks', '/webhooks/wh_1/rotate', '/webhooks/wh_1/reveal', '/webhooks/wh_1/test']) {
    t.equal((await fastify.inject({ method: 'POST', url: base + url, payload: {} })).statusCode, 403, url)
  }
})

t.test('the AsyncAPI document has each message on both ways', async (t) => {
  const fastify = await opened(t)
  await fastify.ready()
  const answer = await fastify.inject('/asyncapi.json')
  t.equal(answer.statusCode, 200)
  const document = answer.json()
  t.equal(document.asyncapi, '3.0.0')
  t.equal(document.channels.organization.address, 'events:{organization}')
  t.equal(document.channels.webhooks.address, null)
  for (const { messages } of Object.values(document.channels) as { messages: Record<string, { $ref: string }> }[]) {
    for (const { $ref } of Object.values(messages)) {
      const name = $ref.slice('#/components/messages/'.length)
      t.match(document.components.messages[name].payload.schema.properties, { type: { const: 'ticket.created' } }, name)
    }
  }
  t.match(fastify.apiDescriptions, [
    { webhooks: { 'ticket.created': { post: { operationId: 'event.ticket.created' } } } }
  ])
  const off = await opened(t, { asyncapi: false, openapi: false })
  await off.ready()
  t.equal((await off.inject('/asyncapi.json')).statusCode, 404)
  t.strictSame(off.apiDescriptions, [])
})

t.test('each door has a switch', async (t) => {
  const fastify = await opened(t, { journal: false, webhooks: false, channel: false, path: '/api', routes: false })
  await fastify.ready()
  await fastify.events.emit('ticket.created', { title: 'a' }, { organization: 'acme' })
  t.strictSame((await fastify.events.list('acme')).events, [])
  t.throws(() => fastify.events.endpoints('acme'), { code: 'SVC_EVENTS_UNAVAILABLE', statusCode: 503 })
  t.strictSame((await fastify.inject('/asyncapi.json')).json().channels, {})
})

t.test('an organisation is an identifier', async (t) => {
  const fastify = await opened(t)
  await fastify.ready()
  for (const organization of ['', 'a b', '../x', 'a*', 'x'.repeat(201), 7, null, undefined]) {
    const options = { organization } as { organization: string }
    await t.rejects(fastify.events.emit('ticket.created', { title: 'a' }, options), { code: 'SVC_EVENTS_ORGANIZATION' })
  }
  await t.rejects(fastify.events.emit('ticket.created', { title: 'a'.repeat(70_000) }, { organization: 'acme' }), {
    code: 'SVC_EVENTS_DATA'
  })
})

t.test('what ends the boot', async (t) => {
  await t.rejects(opened(t, { path: '/api' }), { code: 'SVC_EVENTS_NO_ORGANIZATION' })
  await t.rejects(opened(t, { events: { 'a b': { data: {}, version: 1 } } }), { code: 'SVC_EVENTS_DEFINITION' })
  await t.rejects(opened(t, { allowCidrs: ['nothing'] }), /allowCidrs/)
  const none = await opened(t)
  none.events.on('ticket.created', 'absent')
  await t.rejects(async () => none.ready(), { code: 'SVC_EVENTS_LISTENER_JOB' })
  const some = await opened(t, {}, true)
  t.throws(() => some.events.on('nothing', 'absent'), { code: 'SVC_EVENTS_LISTENER' })
  some.events.on('ticket.created', 'absent')
  await t.rejects(async () => some.ready(), { code: 'SVC_EVENTS_LISTENER_JOB' })
  const late = await opened(t)
  await late.ready()
  t.throws(() => late.events.on('ticket.created', 'absent'), { code: 'SVC_EVENTS_LISTENER' })
})
