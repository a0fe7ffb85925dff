/** The table queue on the memory engine: the published suite, its turns, its tables. The engines of databases run the suite in their packages. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { type Database, memoryDatabase, type TablePlan } from 'svc-stores/table'
import t from 'tap'
import { queueConformance } from '../../src/conformance.ts'
import type { NewJob, Queue } from '../../src/queue.ts'
import { jobsStore, lanesStore } from '../support/jobs.ts'

t.test('the suite, without lanes', (t) =>
  queueConformance(t, { makeStore: (parts) => inMemory(jobsStore, parts), faults: null, lanes: false })
)

t.test('the suite, with lanes', (t) =>
  queueConformance(t, { makeStore: (parts) => inMemory(lanesStore, parts), faults: null })
)

const ANY_ROOM = () => Number.POSITIVE_INFINITY
const NOTHING = { ended: [], retried: [], released: [] }
const aJob = (id: string, lane = id): NewJob => ({ id, lane, payload: '1', held: false })

async function aQueue() {
  const clock = new ManualClock()
  const queue = inMemory(jobsStore, { clock })
  await queue.heartbeat('a')
  const claim = async (limit: number, room: (lane: string) => number = ANY_ROOM) =>
    (await queue.claim('a', limit, room)).map(({ id }) => id)
  return { clock, queue, claim }
}

t.test('the job that has been due for longest comes first, whatever its lane', async (t) => {
  const { clock, queue, claim } = await aQueue()
  await queue.admit('a', [aJob('first')])
  await claim(1)
  await queue.settle('a', { ...NOTHING, retried: [{ id: 'first', attempts: 1, delayMs: 10_000 }] })
  clock.advance(1000)
  await queue.admit('a', [aJob('a-later'), aJob('z-later')])
  clock.advance(4000)
  await queue.admit('a', [aJob('b-last')])
  clock.advance(10_000)
  t.strictSame(await claim(1), ['a-later'])
  t.strictSame(await claim(1), ['z-later'])
  t.strictSame(await claim(1), ['b-last'])
  t.strictSame(await claim(1), ['first'])
})

t.test('a claim continues with the lane after the last one', async (t) => {
  const { queue, claim } = await aQueue()
  const lanes = Array.from({ length: 100 }, (_, index) => `lane_${String(index).padStart(3, '0')}`)
  await queue.admit(
    'a',
    lanes.flatMap((lane) => [1, 2].map((index) => aJob(`${lane} ${index}`, lane)))
  )
  const lanesOf = (ids: readonly string[]) => new Set(ids.map((id) => id.split(' ')[0]))
  const visited: string[] = []
  await claim(1000, (lane) => {
    visited.push(lane)
    return 0
  })
  t.equal(new Set(visited).size, 64, 'so many at once')
  const next = await claim(36, () => 1)
  t.equal(lanesOf(next).size, 36)
  t.equal([...lanesOf(next)].filter((lane) => visited.includes(String(lane))).length, 1, 'the one that waits longest')
})

t.test('what a claim hands out is in the order in which it fell due, then of admission', async (t) => {
  const { clock, queue, claim } = await aQueue()
  for (const id of ['c', 'b', 'a']) {
    await queue.admit('a', [aJob(id)])
    clock.advance(1)
  }
  t.strictSame(await claim(10), ['c', 'b', 'a'])
  await queue.settle('a', { ...NOTHING, retried: ['a', 'b', 'c'].map((id) => ({ id, attempts: 1, delayMs: 5000 })) })
  clock.advance(5000)
  t.strictSame(await claim(10), ['c', 'b', 'a'])
})

t.test('a retry is due at its time, to the millisecond, and its lane is none before', async (t) => {
  const { clock, queue, claim } = await aQueue()
  await queue.admit('a', [aJob('job')])
  await claim(1)
  await queue.settle('a', { ...NOTHING, retried: [{ id: 'job', attempts: 3, delayMs: 5000 }] })
  clock.advance(4999)
  t.strictSame(await claim(1), [])
  t.match(await queue.pending('job', 1), { waiting: 1, held: 0, next: [{ attempts: 3, dueAt: clock.now() + 1 }] })
  clock.advance(1)
  t.strictSame(await claim(1), ['job'])
})

t.test('of retries of one batch each keeps its attempts and its time', async (t) => {
  const { clock, queue, claim } = await aQueue()
  await queue.admit(
    'a',
    ['1', '2', '3'].map((id) => aJob(id, 'lane'))
  )
  await claim(3)
  const retry = (id: string, attempts: number, delayMs: number) => ({ id, attempts, delayMs })
  await queue.settle('a', { ...NOTHING, retried: [retry('1', 1, 2000), retry('2', 2, 1000), retry('3', 1, 2000)] })
  const { next } = await queue.pending('lane', 10)
  t.strictSame(
    next.map(({ id, attempts, dueAt }) => [id, attempts, dueAt]),
    [
      ['2', 2, clock.now() + 1000],
      ['1', 1, clock.now() + 2000],
      ['3', 1, clock.now() + 2000]
    ]
  )
})

t.test('a rescheduled job shows the time of its admission; the age of a clock that was set back is none', async (t) => {
  const { clock, queue, claim } = await aQueue()
  const admittedAt = clock.now()
  await queue.admit('a', [aJob('job')])
  await claim(1)
  await queue.settle('a', { ...NOTHING, retried: [{ id: 'job', attempts: 1, delayMs: 60_000 }] })
  clock.advance(1000)
  t.equal(await queue.reschedule('job', 10), 1)
  t.match((await queue.pending('job', 1)).next, [{ dueAt: admittedAt }])
  t.match(await queue.counts(), { oldestMs: 1000 })
  clock.advance(-2000)
  t.match(await queue.counts(), { oldestMs: 0 })
})

t.test('a name that another process took is not taken again', async (t) => {
  const clock = new ManualClock()
  const database = memoryDatabase({ clock })
  const [one, other] = [jobsStore.open(database, { clock }), jobsStore.open(database, { clock })] as [Queue, Queue]
  t.strictSame([await one.heartbeat('a'), await other.heartbeat('a'), await one.heartbeat('a')], [true, false, true])
})

t.test('a worker that left may begin again under its name', async (t) => {
  const { queue } = await aQueue()
  await queue.leave('a')
  t.strictSame([await queue.heartbeat('a'), await queue.heartbeat('a')], [true, true])
})

t.test('of several workers the one that is silent expires, and no other', async (t) => {
  const { queue, claim } = await aQueue()
  for (const worker of ['b', 'c']) await queue.heartbeat(worker)
  await queue.admit('a', [aJob('job')])
  await claim(1)
  for (let beat = 0; beat < 10; beat += 1) {
    t.strictSame([await queue.heartbeat('b'), await queue.heartbeat('c')], [true, true])
  }
  t.match(await queue.counts(), { waiting: 1, held: 0 })
  t.equal(await queue.heartbeat('a'), false)
})

t.test('a worker expires after six heartbeats of another that it missed', async (t) => {
  const { queue, claim } = await aQueue()
  await queue.admit('a', [aJob('job')])
  await claim(1)
  await queue.heartbeat('b')
  const held: number[] = []
  for (let beat = 1; beat <= 8; beat += 1) {
    await queue.heartbeat('b')
    held.push((await queue.counts()).held)
  }
  t.strictSame(held, [1, 1, 1, 1, 1, 1, 0, 0], 'the first one of them is seen, the six after it are missed')
})

t.test('another process knows of a pause within a second, and at once where the lane has limits', async (t) => {
  const clock = new ManualClock()
  const database = memoryDatabase({ clock })
  const [one, other] = [lanesStore.open(database, { clock }), lanesStore.open(database, { clock })] as [Queue, Queue]
  await other.heartbeat('b')
  const rules = { limits: () => ({ concurrent: 9 }), later: () => undefined }
  await other.admit('', [aJob('limited'), aJob('free'), aJob('late', 'free')])
  t.equal((await other.claim('b', 9, (lane) => (lane === 'none' ? 1 : 0))).length, 0, 'it has read what is paused')
  for (const lane of ['limited', 'free']) await one.lanes?.pause(lane)
  const limited = (lane: string) => (lane === 'limited' ? 9 : 0)
  t.equal((await other.claim('b', 9, limited, rules)).length, 0)
  clock.advance(1_000)
  t.equal((await other.claim('b', 9, ANY_ROOM)).length, 0)
  for (const lane of ['limited', 'free']) await one.lanes?.resume(lane)
  clock.advance(1_000)
  t.equal((await other.claim('b', 9, ANY_ROOM, rules)).length, 3)
})

t.test('its health is that of its table', async (t) => {
  const { queue } = await aQueue()
  await t.resolves(jobsStore.check(queue))
  await t.rejects(async () => jobsStore.check({ ...queue, counts: () => Promise.reject(new Error('away')) }), /away/)
})

t.test(
  'its tables are those of the first release, and a column that may be null: earlier databases open unchanged',
  async (t) => {
    const plans: TablePlan[] = []
    const database = new Proxy(memoryDatabase(), {
      get: (target, name) => {
        if (name !== 'table') return Reflect.get(target, name) as unknown
        return (plan: TablePlan) => {
          plans.push(plan)
          return target.table(plan)
        }
      }
    }) as Database
    jobsStore.open(database, { clock: new ManualClock() })
    t.strictSame(plans, [
      {
        name: 'test_job',
        collection: 'test_job',
        record: 'job',
        columns: [
          { name: 'id', type: 'text' },
          { name: 'endpointId', type: 'text' },
          { name: 'event', type: 'text' },
          { name: 'traceparent', type: 'text', nullable: true },
          { name: 'attempts', type: 'integer' },
          { name: 'holder', type: 'text' },
          { name: 'dueAt', type: 'integer' },
          { name: 'admittedAt', type: 'integer' }
        ],
        indexes: [
          { columns: ['holder', 'endpointId', 'dueAt', 'admittedAt'], name: 'by_turn' },
          { columns: ['holder', 'dueAt'], name: 'by_due' },
          { columns: ['admittedAt'], name: 'by_admission' }
        ]
      },
      {
        name: 'test_worker',
        collection: 'test_worker',
        record: 'worker',
        columns: [
          { name: 'id', type: 'text' },
          { name: 'beat', type: 'integer' }
        ]
      }
    ])
  }
)
