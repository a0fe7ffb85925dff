/** The published suite of drivers of `Queue`: `svc-queue/conformance`. Each worker here is one of an instance that shares it. */
import assert from 'node:assert/strict'
import {
  atOnce,
  type ConformanceCase,
  type ConformanceRunner,
  type ManualClock,
  runCases
} from 'svc-stores/conformance'
import { laneCases } from './conformance/lane-cases.ts'
import {
  ANY_ROOM,
  aJob,
  aWorker,
  type Elapse,
  many,
  operations,
  type QueueSubject,
  type Shared,
  shared
} from './conformance/queue-subject.ts'
import { HEARTBEAT_MS, MISSED_HEARTBEATS, type Queue } from './queue.ts'

export { laneCases } from './conformance/lane-cases.ts'
export type { QueueSubject } from './conformance/queue-subject.ts'

function casesWith(elapse: Elapse): ConformanceCase<Queue>[] {
  /** Worker b lives on, and hears nothing of a. */
  const expires = async ({ queue, clock, b }: Omit<Shared, 'a'>) => {
    for (let beat = 0; beat <= MISSED_HEARTBEATS; beat += 1) {
      await elapse(clock, HEARTBEAT_MS)
      assert.equal(await queue.heartbeat(b.name), true)
    }
  }
  return [
    shared('a job that was admitted is handed out whole, and once', async ({ queue, a, b }) => {
      const { held, ...job } = aJob('msg_1')
      assert.deepEqual(await queue.admit(a.name, [{ ...job, held }]), [])
      const handed = await queue.claim(b.name, 5, ANY_ROOM)
      assert.deepEqual(
        handed.map(({ turn: _, lapses: __, ...rest }) => rest),
        [{ ...job, attempts: 0 }]
      )
      assert.deepEqual([await a.claim(), await b.claim()], [[], []])
    }),
    shared(
      'a job keeps the trace of what caused it, until it is handed out and after a retry',
      async ({ queue, a }) => {
        const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
        await queue.admit(a.name, [{ ...aJob('msg_1'), traceparent }])
        assert.equal((await queue.pending('wh_1', 1)).next[0]?.traceparent, traceparent)
        const claimed = async () => (await queue.claim(a.name, 5, ANY_ROOM)).map((job) => job.traceparent)
        assert.deepEqual(await claimed(), [traceparent])
        await a.settle({ retried: [{ id: 'msg_1', attempts: 1, delayMs: 0 }] })
        assert.deepEqual(await claimed(), [traceparent])
      }
    ),
    shared('Q8: the jobs that wait in a lane are counted and listed', async ({ queue, a, clock }) => {
      assert.deepEqual(await queue.pending('wh_1', 10), { waiting: 0, held: 0, next: [] })
      await queue.admit(a.name, [...many(5), ...many(2, 'wh_2')])
      const [first = ''] = await a.claim(1, (lane) => (lane === 'wh_1' ? 1 : 0))
      const { waiting, held, next } = await queue.pending('wh_1', 3)
      assert.deepEqual([waiting, held, next.length], [4, 1, 3])
      assert.ok(next.every(({ id, lane, attempts }) => id !== first && lane === 'wh_1' && attempts === 0))
      assert.equal(next[0]?.payload, aJob(String(next[0]?.id)).payload)
      await a.settle({ retried: [{ id: first, attempts: 1, delayMs: 60_000 }] })
      const retried = (await queue.pending('wh_1', 10)).next.find(({ id }) => id === first)
      assert.equal(retried?.attempts, 1)
      // A driver may not know.
      assert.ok(retried?.dueAt === null || retried?.dueAt === clock.now() + 60_000)
      assert.equal((await queue.pending('wh_2', 10)).waiting, 2)
    }),
    shared('a job that is admitted twice is there once, also while a worker holds it', async ({ queue, a, b }) => {
      await queue.admit(a.name, many(3))
      const [first = ''] = await a.claim(1)
      await queue.admit(b.name, many(4))
      assert.deepEqual(
        [...(await b.claim()), first].sort(),
        many(4).map(({ id }) => id)
      )
    }),
    shared('of claims at once each job goes to one', async ({ queue, a }) => {
      await queue.admit(a.name, many(60))
      const workers = await atOnce(8, () => aWorker(queue))
      const taken: string[] = []
      for (let round = 0; round < 60 && taken.length < 60; round += 1) {
        taken.push(...(await Promise.all(workers.map(({ claim }) => claim(5)))).flat())
      }
      assert.deepEqual(
        taken.sort(),
        many(60)
          .map(({ id }) => id)
          .sort()
      )
    }),
    shared('a worker that asks for a job at admission holds it if the answer says so', async ({ queue, a, b }) => {
      const own = await queue.admit(a.name, many(3, 'wh_1', true))
      const [rest, again] = [await b.claim(), await queue.admit(b.name, many(3, 'wh_1', true))]
      assert.deepEqual(
        [...own, ...rest].sort(),
        many(3).map(({ id }) => id)
      )
      assert.deepEqual(
        again.filter((id) => own.includes(id)),
        [],
        'held already'
      )
    }),
    shared('a retry waits for its time, and knows its attempts', async ({ queue, a, clock }) => {
      await queue.admit(a.name, many(3))
      await a.claim()
      const retry = (index: number, delayMs: number) => ({ id: `msg_wh_1_${index}`, attempts: index + 1, delayMs })
      await a.settle({ retried: [retry(0, 2000), retry(1, 600_000)], ended: ['msg_wh_1_2'] })
      assert.deepEqual(await a.claim(), [])
      await elapse(clock, 2000)
      const [due] = await queue.claim(a.name, 5, ANY_ROOM)
      assert.deepEqual([due?.id, due?.attempts], ['msg_wh_1_0', 1])
      assert.deepEqual(await a.claim(), [])
      assert.equal((await queue.counts()).waiting, 1)
    }),
    shared('a job that is admitted with a delay waits for its time', async ({ queue, a, clock }) => {
      await queue.admit(a.name, [{ ...aJob('msg_later'), delayMs: 2000 }, aJob('msg_now')])
      assert.deepEqual(await a.claim(), ['msg_now'])
      assert.equal((await queue.pending('wh_1', 5)).waiting, 1)
      await elapse(clock, 2000)
      assert.deepEqual(await a.claim(), ['msg_later'])
    }),
    shared(
      'rescheduled jobs are due at once, oldest first; held ones and other lanes are not',
      async ({ queue, a, b, clock }) => {
        for (let index = 0; index < 6; index += 1) {
          await queue.admit(a.name, [aJob(`msg_${index}`), aJob(`other_${index}`, 'wh_2')])
          await elapse(clock, 1000)
        }
        await a.claim(12)
        const retry = (name: string, index: number) => {
          return { id: `${name}_${index}`, attempts: index + 1, delayMs: 600_000 - index * 60_000 }
        }
        // The oldest waits longest.
        const rest = [0, 1, 2, 3, 4].flatMap((index) => [retry('msg', index), retry('other', index)])
        await a.settle({ retried: rest })
        await queue.admit(a.name, [aJob('msg_new')])
        assert.equal(await queue.reschedule('wh_1', 4), 4)
        assert.equal(await queue.reschedule('wh_1', 4), 2)
        assert.equal(await queue.reschedule('wh_1', 4), 0)
        const taken = await queue.claim(b.name, 12, ANY_ROOM)
        assert.deepEqual(
          taken.map(({ id, attempts }) => `${id} ${attempts}`),
          ['msg_0 1', 'msg_1 2', 'msg_2 3', 'msg_3 4', 'msg_4 5', 'msg_new 0']
        )
        await a.settle({ retried: [{ id: 'msg_5', attempts: 1, delayMs: 60_000 }] })
        assert.deepEqual(await a.claim(), [], 'the job that was held keeps its time')
      }
    ),
    shared('a job that has ended is gone, a job that is given back is there for others', async ({ queue, a, b }) => {
      await queue.admit(a.name, many(4))
      await a.claim()
      await a.settle({ ended: ['msg_wh_1_0', 'msg_wh_1_1', 'msg_of_another_time'], released: ['msg_wh_1_2'] })
      assert.deepEqual(await b.claim(), ['msg_wh_1_2'])
      await b.settle({ ended: ['msg_wh_1_2'] })
      await a.settle({ ended: ['msg_wh_1_3'] })
      assert.deepEqual(await queue.counts(), { waiting: 0, held: 0, oldestMs: null })
    }),
    shared('a long lane delays no other, and no job is taken beyond the room of its lane', async ({ queue, a }) => {
      await queue.admit(a.name, many(300))
      await queue.admit(a.name, many(2, 'wh_0'))
      await queue.admit(a.name, many(2, 'wh_2'))
      const of = (ids: readonly string[], lane: string) => ids.filter((id) => id.includes(lane)).length
      const taken = await a.claim(50, () => 4)
      assert.deepEqual([of(taken, 'wh_0'), of(taken, 'wh_1'), of(taken, 'wh_2')], [2, 4, 2])
      assert.deepEqual(await a.claim(50, () => 0), [])
    }),
    shared('each of very many lanes gets its turn', async ({ queue, a }) => {
      const names = Array.from({ length: 150 }, (_, index) => `wh_${index}`)
      await queue.admit(
        a.name,
        names.map((name) => aJob(`msg_${name}`, name))
      )
      const taken: string[] = []
      for (let round = 0; round < 150 && taken.length < 150; round += 1) taken.push(...(await a.claim(20, () => 1)))
      assert.equal(new Set(taken).size, 150)
    }),
    shared(
      'an expired worker loses what it holds; its late retry changes nothing, its late end does',
      async ({ queue, a, b, clock }) => {
        await queue.admit(a.name, many(3))
        assert.equal((await a.claim()).length, 3)
        await expires({ queue, clock, b })
        assert.equal(await queue.heartbeat(a.name), false)
        assert.equal((await b.claim()).length, 3)
        await a.settle({ retried: [{ id: 'msg_wh_1_0', attempts: 9, delayMs: 0 }], released: ['msg_wh_1_1'] })
        assert.deepEqual(await b.claim(), [], 'the other worker still holds them')
        await a.settle({ ended: ['msg_wh_1_2'] })
        assert.equal((await queue.counts()).held, 2)
      }
    ),
    shared('a live worker keeps what it holds, whatever the clock says', async ({ queue, a, b, clock }) => {
      await queue.admit(a.name, many(2))
      await a.claim()
      for (let beat = 0; beat < 3 * MISSED_HEARTBEATS; beat += 1) {
        clock.advance(beat % 2 === 0 ? 3_600_000 : 1)
        assert.equal(await queue.heartbeat(a.name), true)
        assert.equal(await queue.heartbeat(b.name), true)
      }
      assert.deepEqual(await b.claim(), [])
    }),
    shared('a worker that leaves frees what it holds', async ({ queue, a, b }) => {
      await queue.admit(a.name, many(2))
      await a.claim()
      await queue.leave(a.name)
      assert.equal((await b.claim()).length, 2)
    }),
    shared('a driver that counts lapses counts each worker that expires with a job', async ({ queue, a, b, clock }) => {
      await queue.admit(a.name, many(1))
      const lapses = async (worker: string) => (await queue.claim(worker, 1, ANY_ROOM))[0]?.lapses
      const id = 'msg_wh_1_0'
      const first = await lapses(a.name)
      // One that counts none, or does not know of this job.
      if (first === undefined) return
      assert.equal(first, 0)
      await a.settle({ retried: [{ id, attempts: 1, delayMs: 0 }] })
      assert.equal(await lapses(a.name), 0)
      await a.settle({ released: [id] })
      assert.equal(await lapses(a.name), 0)
      await expires({ queue, clock, b })
      assert.equal(await lapses(b.name), 1)
      await b.settle({ retried: [{ id, attempts: 2, delayMs: 0 }] })
      assert.equal(await lapses(b.name), 1)
    }),
    shared('jobs under the name of a worker that has left are handed out to others', async ({ queue, a, b, clock }) => {
      await queue.admit(b.name, many(1, 'wh_2'))
      await queue.leave(a.name)
      // Writes that were under way.
      await queue.admit(a.name, many(2, 'wh_1', true))
      await queue.claim(a.name, 1, ANY_ROOM)
      await expires({ queue, clock, b })
      assert.equal((await b.claim()).length, 3)
    }),
    shared('a discarded lane loses the jobs that no worker holds; other lanes keep theirs', async ({ queue, a }) => {
      await queue.admit(a.name, [...many(250), ...many(2, 'wh_2')])
      assert.equal((await a.claim(2, (id) => (id === 'wh_1' ? 2 : 0))).length, 2)
      assert.equal(await queue.discard('wh_1'), 248)
      assert.equal(await queue.discard('wh_1'), 0)
      assert.deepEqual([(await queue.counts()).waiting, (await queue.counts()).held], [2, 2])
    }),
    shared('counts the jobs that wait and that are held, and the age of the oldest', async ({ queue, a, clock }) => {
      assert.deepEqual(await queue.counts(), { waiting: 0, held: 0, oldestMs: null })
      await queue.admit(a.name, many(2))
      await elapse(clock, 3000)
      await queue.admit(a.name, many(1, 'wh_2'))
      await a.claim(1)
      const { waiting, held, oldestMs } = await queue.counts()
      assert.deepEqual([waiting, held], [2, 1])
      assert.ok(oldestMs !== null && oldestMs >= 3000 && oldestMs < 60_000, String(oldestMs))
    })
  ]
}

const laneless = [
  shared('a driver without limits, priorities and pauses of lanes says so', async ({ queue }) => {
    assert.equal(queue.lanes, undefined)
  })
]

/** Proves a driver of `Queue`. @param runner tap's `t`, or any runner with `test(name, body)` */
export function queueConformance(runner: ConformanceRunner, subject: QueueSubject): Promise<void> {
  const { elapse, lanes = true } = subject
  const pass = async (clock: ManualClock, ms: number) => (elapse === undefined ? clock.advance(ms) : elapse(ms))
  const cases = [...casesWith(pass), ...(lanes ? laneCases(pass) : laneless)]
  return runCases(runner, cases, subject, operations)
}
