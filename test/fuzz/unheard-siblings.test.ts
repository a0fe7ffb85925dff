/**
 * X1: of several answers that are asked for together, one fails at once and another one later: the caller hears the
 * first, and the later one is left to nobody.
 */
import Fastify from 'fastify'
import svcAudit from 'svc-audit'
import { joinedLookup, type Table } from 'svc-stores/table'
import t, { type Test } from 'tap'

function unheard(t: Test): unknown[] {
  const found: unknown[] = []
  const collect = (reason: unknown): void => void found.push(reason)
  process.on('unhandledRejection', collect)
  t.teardown(() => process.off('unhandledRejection', collect))
  return found
}

async function turns(): Promise<void> {
  for (let count = 0; count < 10; count += 1) await new Promise((resolve) => setImmediate(resolve))
}

async function late(): Promise<never> {
  await turns()
  throw new Error('late')
}

function atOnce(): never {
  throw new Error('at once')
}

t.test('X1: tables of a look-up, of which one throws at once', async (t) => {
  const found = unheard(t)
  const table = (findOne: () => unknown) => ({ findOne }) as unknown as Table<{ id: string }>
  const lookup = joinedLookup(
    table(() => ({ id: 'a' })),
    [
      { table: table(late), column: 'id', on: 'id' },
      { table: table(atOnce), column: 'id', on: 'id' }
    ] as never
  )
  await t.rejects(async () => lookup({ id: 'a' }), { message: 'at once' })
  await turns()
  await turns()
  t.strictSame(found, [])
})

t.test('X1: listeners of the journal, of which one cannot store', async (t) => {
  const found = unheard(t)
  const fastify = Fastify()
  t.teardown(() => fastify.close().catch(() => undefined))
  await fastify.register(svcAudit)
  const ends = [late, atOnce].map((flush) => fastify.audit.subscribe(() => undefined, { flush }))
  await t.rejects(fastify.audit.flushed(), { message: 'at once' })
  await turns()
  await turns()
  for (const end of ends) end()
  t.strictSame(found, [])
})

t.test('X1: an answer that cannot be written once its events are stored', async (t) => {
  const found = unheard(t)
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  // Before the hook that waits: the answer is written as soon as that one goes on.
  fastify.addHook('onSend', async ({ url }) => (url === '/change' ? { no: 'payload' } : undefined))
  await fastify.register(svcAudit, { durability: 'strict' })
  fastify.get('/change', async () => {
    fastify.audit.record({ category: 'config', action: 'config.update', outcome: 'success' })
    return { ok: true }
  })
  fastify.get('/look', async () => ({ ok: true }))
  t.equal((await fastify.inject('/change')).statusCode, 500)
  t.equal((await fastify.inject('/look')).statusCode, 200)
  await turns()
  t.strictSame(found, [])
})
