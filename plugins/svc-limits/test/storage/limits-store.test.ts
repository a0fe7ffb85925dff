/** The store in memory, over the tables of the memory engine, and in Redis. Databases run the suite in their drivers. */
import { inMemory } from 'svc-stores'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { limitsStoreConformance } from '../../src/storage/limits-store-conformance.ts'
import { MemoryLimitsStore } from '../../src/storage/memory-limits-store.ts'
import { RedisLimitsStore } from '../../src/storage/redis-limits-store.ts'
import { limitsStore } from '../../src/storage/table-limits-store.ts'
import { onRedis } from '../support/redis.ts'

t.test('memory', (t) =>
  limitsStoreConformance(
    { test: (name, body) => t.test(name, body) },
    { makeStore: (parts) => inMemory(limitsStore, parts), faults: null }
  )
)

t.test('a table', (t) =>
  limitsStoreConformance(
    { test: (name, body) => t.test(name, body) },
    { makeStore: (parts) => limitsStore.open(memoryDatabase(parts), parts), faults: null }
  )
)

t.test('memory is bounded: the keys that were there first are forgotten', async (t) => {
  const store = new MemoryLimitsStore({ now: () => 0, setTimeout: () => null, clearTimeout: () => undefined }, 3)
  const pace = { intervalUs: 1_000_000, burst: 1 }
  for (const key of ['a', 'b', 'c']) t.ok(store.take('x', key, pace, 1).taken)
  t.notOk(store.take('x', 'c', pace, 1).taken)
  t.ok(store.take('x', 'd', pace, 1).taken)
  t.notOk(store.take('x', 'b', pace, 1).taken, 'still there')
  t.ok(store.take('x', 'a', pace, 1).taken, 'forgotten')
})

await onRedis(async (t, { client }) => {
  const makeStore = async () => {
    await client.flushall()
    return new RedisLimitsStore(client)
  }
  await t.test('the suite', (t) =>
    limitsStoreConformance({ test: (name, body) => t.test(name, body) }, { makeStore, faults: null }, true)
  )
  await t.test('a key is forgotten by the server when all is paid back', async (t) => {
    const store = await makeStore()
    await store.take('mail', 'k', { intervalUs: 60_000_000, burst: 5 }, 2)
    const ttl = await client.pttl('svc:limit:mail\nk')
    t.ok(ttl > 110_000 && ttl <= 120_000, `${ttl} ms`)
    await store.giveBack('mail', 'k', { intervalUs: 60_000_000, burst: 5 }, 2)
    t.equal(await client.exists('svc:limit:mail\nk'), 0)
  })
  await t.test('a time beyond the budget, of a clock that was set back, counts as the whole budget', async (t) => {
    const store = await makeStore()
    const later = (Date.now() + 86_400_000) * 1000
    await client.set('svc:limit:mail\nk', String(later))
    const pace = { intervalUs: 60_000_000, burst: 5 }
    t.strictSame(await store.take('mail', 'k', pace, 1), { taken: false, aheadUs: 300_000_000 })
  })
})
