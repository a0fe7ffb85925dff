/** What events ask of svc-organizations where it is registered: a double of it, as it decorates the application. */
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import svcEvents, { defineEvents } from '../src/index.ts'

const events = defineEvents({ 'ticket.created': { data: { type: 'object' }, version: 1 } })

async function opened(t: Test, path: string) {
  const states = new Map([['org_1', 'active']])
  const parts = new Map<string, { export(of: { id: string }): unknown; erase(of: { id: string }): unknown }>()
  const asked = { calls: 0, answers: async (_call: number): Promise<void> => undefined }
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  fastify.decorate('organizations', {
    // As the real one: a slug finds it too.
    find: async (name: string) => {
      const id = name === 'acme' ? 'org_1' : name
      const state = states.get(id)
      asked.calls += 1
      await asked.answers(asked.calls)
      return state === undefined ? null : { id, state }
    },
    describe: (name: string, part: never) => void parts.set(name, part)
  } as never)
  await fastify.register(svcEvents, { events, path })
  await fastify.ready()
  return { fastify, states, parts, asked }
}

t.test('an event belongs to the id of an organisation that is there', async (t) => {
  const { fastify, states } = await opened(t, '/api')
  const emit = (organization: string | null) => fastify.events.emit('ticket.created', {}, { organization })
  await emit('org_1')
  for (const other of ['acme', 'org_2', null]) {
    await t.rejects(emit(other), { code: 'SVC_EVENTS_ORGANIZATION', statusCode: 404 }, String(other))
  }
  // Suspended or closing: the journal goes on, and nothing is sent.
  states.set('org_1', 'closing')
  await emit('org_1')
})

t.test('its events go with an organisation', async (t) => {
  const { fastify, parts } = await opened(t, '/api')
  await fastify.events.emit('ticket.created', { n: 1 }, { organization: 'org_1' })
  const listed = async () => (await fastify.events.list('org_1')).events.length
  while ((await listed()) === 0) await new Promise(setImmediate)
  t.match(await parts.get('events')?.export({ id: 'org_1' }), [{ type: 'ticket.created', data: { n: 1 } }])
  await parts.get('events')?.erase({ id: 'org_1' })
  t.equal(await listed(), 0)
})

t.test('an organisation that is deleted while its event is handed on gets no row again', async (t) => {
  const { fastify, states, asked } = await opened(t, '/api')
  const emit = (organization: string) => fastify.events.emit('ticket.created', {}, { organization })
  const listed = async (organization: string) => (await fastify.events.list(organization)).events.length
  // The first to ask is the emission; the second the relay, which then writes what follows from an active organisation.
  asked.answers = async (call) => {
    if (call !== 2) return
    states.delete('org_1')
    await fastify.events.forget('org_1')
  }
  await emit('org_1')
  while (asked.calls < 3) await new Promise(setImmediate)
  states.set('org_2', 'active')
  await emit('org_2')
  while ((await listed('org_2')) === 0) await new Promise(setImmediate)
  t.equal(await listed('org_1'), 0)
})
