/** `fastify.audit.list`: what the journal keeps, by page, for plugins that look back. */
import Fastify from 'fastify'
import t from 'tap'
import svcAudit from '../../src/index.ts'

t.test('pages of what was recorded, newest first, within a range', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcAudit)
  await fastify.ready()
  for (let index = 0; index < 5; index += 1) {
    fastify.audit.record({ category: 'auth', action: 'login.failure', outcome: 'failure', actor: `a${index}` })
  }
  const first = await fastify.audit.list?.({}, { limit: 3 })
  t.strictSame(
    first?.items.map(({ actor }) => actor),
    ['a4', 'a3', 'a2']
  )
  const second = await fastify.audit.list?.({}, { limit: 3, cursor: first?.nextCursor ?? '' })
  t.strictSame([second?.items.length, second?.nextCursor], [2, null])
  t.strictSame((await fastify.audit.list?.({ until: 1 }, { limit: 3 }))?.items, [])
  await t.rejects(async () => fastify.audit.list?.({}, { limit: 0 }), { code: 'SVC_STORE_PAGE' })
})
