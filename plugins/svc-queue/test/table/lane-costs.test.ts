/** What a claim asks of the database, counted: lanes without limits pay nothing for those that have some. */
import { TransactionConflict } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { type Database, memoryDatabase, type Table } from 'svc-stores/table'
import t from 'tap'
import type { LaneRules, NewJob, Priority, Queue } from '../../src/queue.ts'
import { lanesStore } from '../support/jobs.ts'

/** Calls by table, and transactions. */
function counted() {
  const clock = new ManualClock()
  const calls: string[] = []
  /** Whether each transaction loses to another one. */
  const losing = { lanes: false }
  const database = new Proxy(memoryDatabase({ clock }), {
    get: (target, name: keyof Database) => {
      if (name === 'transaction') {
        calls.push('transaction')
        if (losing.lanes) return () => Promise.reject(new TransactionConflict())
      }
      if (name !== 'table') return typeof target[name] === 'function' ? target[name].bind(target) : target[name]
      return (plan: Parameters<Database['table']>[0]) =>
        new Proxy(target.table<object>(plan), {
          get: (table, call: keyof Table<object>) => {
            const own = table[call]
            if (typeof own !== 'function') return own
            if (call !== 'within') calls.push(`${plan.name} ${call}`)
            return own.bind(table)
          }
        })
    }
  }) as Database
  const queue = lanesStore.open(database, { clock }) as Queue
  const asked = async (work: () => Promise<unknown>) => {
    calls.length = 0
    await work()
    const counts = new Map<string, number>()
    for (const call of calls) counts.set(call, (counts.get(call) ?? 0) + 1)
    return Object.fromEntries(counts)
  }
  return { clock, queue, asked, losing }
}

const ANY_ROOM = () => Number.POSITIVE_INFINITY
const aJob = (id: string, lane: string, priority: Priority = 'normal'): NewJob => {
  return { id, lane, payload: '1', held: false, priority }
}
/** Of other lanes than those here. */
const OTHERS: LaneRules = {
  limits: (lane) => (lane === 'till' ? { concurrent: 1, rate: { max: 1, perS: 60, burst: 1 } } : undefined),
  later: () => undefined
}

t.test('lanes without limits: the first of all, each lane and its claim, and pauses once a second', async (t) => {
  const { clock, queue, asked } = counted()
  await queue.heartbeat('a')
  await queue.admit(
    '',
    ['a', 'b', 'c'].flatMap((lane) => [1, 2, 3].map((job) => aJob(`${lane} ${job}`, lane)))
  )
  const claim = () => queue.claim('a', 3, () => 1, OTHERS)
  // The first of all, then the lanes behind the last: a, which was visited, b and c.
  const WITHOUT = { 'test_lane_job find': 4, 'test_lane_job claim': 3 }
  t.strictSame(await asked(claim), { ...WITHOUT, 'test_lane find': 1 })
  clock.advance(999)
  t.match(await asked(claim), { 'test_lane find': undefined, transaction: undefined, 'test_lane_job claim': 3 })
  clock.advance(1)
  t.match(await asked(claim), { 'test_lane find': 1, transaction: undefined })
})

t.test('one lane that is taken empty: from the second claim on a look for another job instead of a walk', async (t) => {
  const { queue, asked } = counted()
  await queue.heartbeat('a')
  const claim = async (...lanes: readonly string[]) => {
    await queue.admit(
      '',
      lanes.map((lane) => aJob(`${lane} ${made++}`, lane))
    )
    return asked(() => queue.claim('a', 9, ANY_ROOM))
  }
  let made = 0
  const first = await claim('a')
  const second = await claim('a')
  t.match(second, { 'test_lane_job find': 2, 'test_lane_job claim': 1 })
  t.ok((first['test_lane_job find'] ?? 0) >= 2)
  t.match(await claim('a', 'b'), { 'test_lane_job claim': 2 }, 'another lane is visited by the same claim')
})

t.test('without a job that is due one read answers, whatever is limited or paused', async (t) => {
  const { queue, asked } = counted()
  await queue.heartbeat('a')
  await queue.admit('', [{ ...aJob('later', 'till'), delayMs: 60_000 }])
  t.strictSame(await asked(() => queue.claim('a', 9, ANY_ROOM, OTHERS)), { 'test_lane_job find': 1 })
})

t.test('only where jobs of several priorities wait, each lane is asked for the first of each', async (t) => {
  const { queue, asked } = counted()
  await queue.heartbeat('a')
  await queue.admit(
    '',
    ['a', 'b'].flatMap((lane) => [1, 2].map((job) => aJob(`${lane} ${job}`, lane)))
  )
  const claim = () => queue.claim('a', 2, () => 1)
  const same = await asked(claim)
  await queue.admit('', [aJob('urgent', 'b', 'urgent')])
  const mixed = await asked(claim)
  t.equal(mixed['test_lane_job find'], (same['test_lane_job find'] ?? 0) + 2, 'two lanes were visited')
})

t.test(
  'a lane with limits is asked for in a transaction; one that lets nothing through is not asked for',
  async (t) => {
    const { queue, asked } = counted()
    await queue.heartbeat('a')
    await queue.admit(
      '',
      [1, 2, 3].map((job) => aJob(`till ${job}`, 'till'))
    )
    const claim = () => queue.claim('a', 9, ANY_ROOM, OTHERS)
    t.equal((await asked(claim)).transaction, 1)
    t.equal((await asked(claim)).transaction, undefined)
  }
)

t.test('a lane that is full is counted, and not asked for; one that another worker keeps is passed over', async (t) => {
  const { queue, asked, losing } = counted()
  await queue.heartbeat('a')
  const jobs = ['till 1', 'till 2', 'till 3'].map((id) => aJob(id, 'till'))
  await queue.admit('', [...jobs, aJob('free 1', 'free'), aJob('free 2', 'free')])
  const rules: LaneRules = { ...OTHERS, limits: (lane) => (lane === 'till' ? { concurrent: 2 } : undefined) }
  const claim = async (room: (lane: string) => number = () => 1) =>
    (await queue.claim('a', 9, room, rules)).map(({ id }) => id)
  losing.lanes = true
  t.strictSame(await claim(), ['free 1'])
  const kept = await asked(async () => t.strictSame(await claim(), ['free 2']))
  t.equal(kept.transaction, 1, 'each claim tries once')
  losing.lanes = false
  t.strictSame(await claim(ANY_ROOM), ['till 1', 'till 2'])
  const full = await asked(async () => t.strictSame(await claim(), []))
  t.match(full, { 'test_lane_job count': 1, transaction: undefined })
  await queue.settle('a', { ended: ['till 1'], retried: [], released: [] })
  t.strictSame(await claim(), ['till 3'])
})
