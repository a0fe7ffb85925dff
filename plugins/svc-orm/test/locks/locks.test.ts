/** What callers may ask of a lock, its steps one by one, what an outage does to it, and the plugin around it. */
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import { systemClock } from 'svc-kernel'
import { ConnectionUnavailable } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { type Database, memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import svcOrm, { type HeldLock } from '../../src/index.ts'
import { type LockRow, LockTable, lockPlan } from '../../src/locks/lock-table.ts'
import { Locks } from '../../src/locks/locks.ts'

const nothing = async () => undefined

const aRow = (token: string): LockRow => ({
  id: 'name',
  token,
  beat: 0,
  fence: null,
  leaseMs: 1000,
  holder: `${token}:1`,
  since: 0
})

/** A lock that is held until `end` is called. */
async function heldLock(locks: Locks, leaseMs = 3000) {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let holding: Promise<void> = ended
  const held = await new Promise<HeldLock>((resolve, reject) => {
    const work = (given: HeldLock) => {
      resolve(given)
      return ended
    }
    holding = locks.hold('name', work, { leaseMs })
    holding.catch(reject)
  })
  return { held, holding, end }
}

t.test('names and options are checked before anything is asked of the database', async (t) => {
  const locks = new Locks({ database: memoryDatabase(), clock: systemClock, holder: 'a:1' })
  const wrong: readonly (readonly [name: unknown, options?: unknown])[] = [
    [''],
    ['x'.repeat(201)],
    ['a\0b'],
    ['\ud800'],
    [5],
    ['a', { waitMs: -1 }],
    ['a', { waitMs: 1.5 }],
    ['a', { waitMs: '5' }],
    ['a', { waitMs: 86_400_001 }],
    ['a', { leaseMs: 999 }],
    ['a', { leaseMs: Number.NaN }],
    ['a', { wait: 5 }]
  ]
  for (const [name, options] of wrong) {
    await t.rejects(locks.hold(name as string, nothing, options), { code: 'SVC_ORM_OPTIONS' }, JSON.stringify(options))
  }
  t.equal(await memoryDatabase().table(lockPlan).count([]), 0)
  t.equal(await locks.hold('a', () => 'may be synchronous', { waitMs: 0, leaseMs: 1000 }), 'may be synchronous')
})

t.test('a taking that was replaced gets no number, sends no heartbeat and removes nothing', async (t) => {
  const table = new LockTable(memoryDatabase(), { now: () => 1000 })
  const [first, second] = [aRow('first'), aRow('second')]
  t.ok(await table.insert(first))
  t.notOk(await table.insert(second), 'it is held')
  t.notOk(await table.replace({ ...first, beat: 1 }, second), 'the holder has moved on')
  t.ok(await table.replace(first, second))
  t.equal(await table.number(first), null)
  t.notOk(await table.beat(first))
  await table.remove(first)
  const fence = await table.number(second)
  t.ok(fence !== null && fence > 1000, 'it counts on from the time of the first taking')
  t.match(await table.read('name'), { token: 'second', fence })
})

t.test('a database that is away for a moment costs no lock; for longer than the lease, it does', async (t) => {
  const database = memoryDatabase()
  const clock = new ManualClock()
  let isAway = false
  const table = database.table<LockRow>(lockPlan)
  const { update } = table
  table.update = async (...given) => {
    if (isAway) throw new ConnectionUnavailable('memory')
    return update.apply(table, given)
  }
  const locks = new Locks({ database, clock, holder: 'a:1' })
  const { held, holding, end } = await heldLock(locks)
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100)
      await setImmediate()
    }
  }
  isAway = true
  await pass(2000)
  isAway = false
  await pass(2000)
  isAway = true
  await pass(1500)
  t.equal(held.signal.aborted, false)
  await pass(1500)
  t.match(held.signal.reason, { code: 'SVC_ORM_LOCK_LOST', message: /"name" was lost: its lease could not be renewed/ })
  isAway = false
  end()
  await t.rejects(holding, { code: 'SVC_ORM_LOCK_LOST', statusCode: 503 })
  t.equal(await locks.hold('name', async () => 'free'), 'free', 'its own row was removed')
  t.equal(clock.pending, 0, 'no timer is left')
})

t.test('a database that takes longer than the lease gives no lock', async (t) => {
  const database = memoryDatabase()
  const clock = new ManualClock()
  const table = database.table<LockRow>(lockPlan)
  const { insertNew } = table
  table.insertNew = async (rows) => {
    clock.advance(1000)
    return insertNew.call(table, rows)
  }
  const locks = new Locks({ database, clock, holder: 'a:1' })
  await t.rejects(locks.hold('name', nothing, { leaseMs: 1000 }), { code: 'SVC_ORM_LOCK_LOST' })
  table.insertNew = insertNew
  await setImmediate()
  t.equal(await locks.hold('name', async () => 'free'), 'free')
})

t.test('a shutdown does not wait for ever for work that goes on, and leaves it its lock', async (t) => {
  const database = memoryDatabase()
  const clock = new ManualClock()
  const locks = new Locks({ database, clock, holder: 'a:1' })
  const { held, holding, end } = await heldLock(locks, 20_000)
  const closing = locks.close()
  t.match(held.signal.reason, { code: 'SVC_ORM_LOCK_LOST', message: /the application is closing/ })
  clock.advance(5000)
  await closing
  t.equal((await locks.list()).length, 1)
  end()
  await holding
  t.equal((await locks.list()).length, 0)
})

t.test('a table is made with the first lock: a listing makes none', async (t) => {
  const made: string[] = []
  const memory = memoryDatabase()
  const database: Database = Object.assign(Object.create(memory) as Database, {
    ensureTable: async (plan: typeof lockPlan) => {
      made.push(plan.name)
      if (made.length === 1) throw new ConnectionUnavailable('memory')
      return memory.table(plan)
    },
    schema: { standing: async () => made.map(() => ({})), differences: async () => [] }
  })
  const locks = new Locks({ database, clock: systemClock, holder: 'a:1' })
  t.strictSame(await locks.list(), [])
  t.strictSame(made, [])
  await t.rejects(locks.hold('name', nothing), { code: 'SVC_ORM_UNAVAILABLE' }, 'one that fails is tried again')
  await locks.hold('name', async () => t.match(await locks.list(), [{ name: 'name', holder: 'a:1' }]))
  t.strictSame(made, ['svc_lock', 'svc_lock'])
})

t.test('fastify.orm.lock: on a connector, from ready on, and released by close', async (t) => {
  const fastify = Fastify()
  await fastify.register(svcOrm, { memory: true })
  fastify.orm.addConnector(memoryDatabase({ name: 'other' }))
  await t.rejects(fastify.orm.lock('name', nothing), { code: 'SVC_ORM_NOT_READY' })
  await fastify.ready()
  await t.rejects(fastify.orm.lock('name', nothing, { connector: 'none' }), { code: 'SVC_ORM_UNKNOWN_CONNECTOR' })
  let signal: AbortSignal | null = null
  const holding = fastify.orm.lock('name', async (held) => {
    t.match(await fastify.orm.heldLocks(), [{ name: 'name', holder: /^.+:\d+$/, fence: held.fence }])
    t.strictSame(await fastify.orm.heldLocks('other'), [])
    await fastify.orm.lock('name', nothing, { connector: 'other' })
    signal = held.signal
    await new Promise((resolve) => held.signal.addEventListener('abort', resolve))
    held.signal.throwIfAborted()
  })
  const ended = t.rejects(holding, { code: 'SVC_ORM_LOCK_LOST' })
  while (signal === null) await setImmediate()
  await fastify.close()
  await ended
  await t.rejects(fastify.orm.lock('name', nothing), { code: 'SVC_ORM_UNAVAILABLE' })
})
