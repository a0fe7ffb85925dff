/** The plugin by itself on a bare Fastify: it decorates, purges on its clock, and leaves no timer behind. */
import Fastify from 'fastify'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import svcAudit from '../src/index.ts'
import { MemoryAuditStore } from '../src/storage/memory-audit-store.ts'

t.test('registers alone, with what it needs', async (t) => {
  const fastify = Fastify()
  await fastify.register(svcAudit)
  await fastify.ready()
  t.ok(fastify.hasDecorator('audit') && fastify.hasDecorator('stores') && fastify.hasDecorator('accessGate'))
  fastify.audit.record({ category: 'config', action: 'config.update', outcome: 'success', actor: 'root' })
  t.equal(fastify.audit.recent(1)[0]?.actor, 'root')
  t.equal(fastify.audit.catalogue?.get('config.update')?.category, 'config', 'the catalogue goes with the port')
  await fastify.close()
})

t.test('old events go on the clock of the plugin, and its timer ends with it', async (t) => {
  const clock = new ManualClock()
  const fastify = Fastify()
  await fastify.register(svcAudit, { retentionDays: 1, parts: { clock } })
  await fastify.ready()
  fastify.audit.record({ category: 'auth', action: 'logout', outcome: 'success' })
  const turns = async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  clock.advance(86_400_000)
  // The next timer starts once a run has ended.
  await turns()
  t.equal(fastify.audit.recent(1).length, 1)
  clock.advance(3_600_000)
  await turns()
  t.equal(fastify.audit.recent(1).length, 0)
  t.equal(clock.pending, 1)
  await fastify.close()
  t.equal(clock.pending, 0)
})

t.test('the memory store and the journal hold the same events', async (t) => {
  const store = new MemoryAuditStore({ clock: new ManualClock() })
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcAudit, { parts: { stores: { audit: store } } })
  fastify.audit.record({ category: 'auth', action: 'logout', outcome: 'success' })
  t.equal([...store.events.newest()][0], fastify.audit.recent(1)[0])
})

t.test('options are checked', async (t) => {
  for (const options of [{ store: 'mongo' }, { retentionDays: -1 }, { retentionDays: 1.5 }, { retention: 1 }]) {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    const registered = async () => fastify.register(svcAudit, options as never)
    await t.rejects(registered(), { code: 'SVC_KERNEL_OPTIONS' }, JSON.stringify(options))
  }
})

t.test('an explicit store without its driver stops the boot', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await t.rejects(async () => fastify.register(svcAudit, { store: 'sqlorm' }), { code: 'SVC_STORE_UNKNOWN' })
})
