/** The suite of a durable queue. Holders stand for instances that share it. */
import assert from 'node:assert/strict'
import {
  atOnce,
  type ConformanceCase,
  type ConformanceRunner,
  type ConformanceSubject,
  type ManualClock,
  type Operations,
  runCases
} from 'svc-stores/conformance'
import { BEAT_MS, type DurableQueue, MISSED_BEATS } from './durable-queue.ts'
import { ANY_ROOM, aDelivery, type Instance, instance, many, NOTHING } from './durable-queue-fixtures.ts'

export interface DurableQueueSubject extends ConformanceSubject<DurableQueue> {
  /** Lets time pass, for a queue with a clock of its own. Default: the clock of the case is advanced. */
  readonly elapse?: (ms: number) => Promise<void>
}

const operations: Operations<DurableQueue> = {
  admit: (queue) => queue.admit('a', [aDelivery('msg_1')]),
  claim: (queue) => queue.claim('a', 1, ANY_ROOM),
  extend: (queue) => queue.extend('a'),
  settle: (queue) => queue.settle('a', { ...NOTHING, ended: ['msg_1'] }),
  hasten: (queue) => queue.hasten('wh_1', 10),
  discard: (queue) => queue.discard('wh_1'),
  counts: (queue) => queue.counts(),
  pending: (queue) => queue.pending('wh_1', 10),
  leave: (queue) => queue.leave('a')
}

function casesWith(elapse: (clock: ManualClock, ms: number) => Promise<void>): ConformanceCase<DurableQueue>[] {
  /** The other one lives on, and hears nothing of a third. */
  const falls = async (queue: DurableQueue, clock: ManualClock, other: Instance) => {
    for (let beat = 0; beat <= MISSED_BEATS; beat += 1) {
      await elapse(clock, BEAT_MS)
      assert.equal(await queue.extend(other.holder), true)
    }
  }
  return [
    [
      'what is admitted is handed out whole, and once',
      async ({ store: queue }) => {
        const [a, b] = [await instance(queue), await instance(queue)]
        const { held, ...delivery } = aDelivery('msg_1')
        assert.deepEqual(await queue.admit(a.holder, [{ ...delivery, held }]), [])
        assert.deepEqual(await queue.claim(b.holder, 5, ANY_ROOM), [{ ...delivery, attempts: 0 }])
        assert.deepEqual([await a.claim(), await b.claim()], [[], []])
      }
    ],
    [
      'Q8: what waits for an endpoint is counted and listed, with what is held beside it',
      async ({ store: queue, clock }) => {
        const a = await instance(queue)
        assert.deepEqual(await queue.pending('wh_1', 10), { waiting: 0, held: 0, next: [] })
        await queue.admit(a.holder, [...many(5), ...many(2, 'wh_2')])
        const [first = ''] = await a.claim(1, (endpointId) => (endpointId === 'wh_1' ? 1 : 0))
        const { waiting, held, next } = await queue.pending('wh_1', 3)
        assert.deepEqual([waiting, held, next.length], [4, 1, 3])
        assert.ok(next.every(({ id, endpointId, attempts }) => id !== first && endpointId === 'wh_1' && attempts === 0))
        assert.equal(next[0]?.event, aDelivery(String(next[0]?.id)).event)
        await a.settle({ retried: [{ id: first, attempts: 1, delayMs: 60_000 }] })
        const retried = (await queue.pending('wh_1', 10)).next.find(({ id }) => id === first)
        assert.equal(retried?.attempts, 1)
        // A queue may not know; what it says is the time of the next attempt.
        assert.ok(retried?.dueAt === null || retried?.dueAt === clock.now() + 60_000)
        assert.equal((await queue.pending('wh_2', 10)).waiting, 2)
      }
    ],
    [
      'what is admitted twice is there once, also while one holds it',
      async ({ store: queue }) => {
        const [a, b] = [await instance(queue), await instance(queue)]
        await queue.admit(a.holder, many(3))
        const [first = ''] = await a.claim(1)
        await queue.admit(b.holder, many(4))
        assert.deepEqual(
          [...(await b.claim()), first].sort(),
          many(4).map(({ id }) => id)
        )
      }
    ],
    [
      'of claims at once each delivery goes to one',
      async ({ store: queue }) => {
        const { holder } = await instance(queue)
        await queue.admit(holder, many(60))
        const instances = await atOnce(8, () => instance(queue))
        const taken: string[] = []
        for (let round = 0; round < 60 && taken.length < 60; round += 1) {
          taken.push(...(await Promise.all(instances.map(({ claim }) => claim(5)))).flat())
        }
        assert.deepEqual(
          taken.sort(),
          many(60)
            .map(({ id }) => id)
            .sort()
        )
      }
    ],
    [
      'what is wanted at admission belongs to whoever admitted it, where it is told so',
      async ({ store: queue }) => {
        const [a, b] = [await instance(queue), await instance(queue)]
        const own = await queue.admit(a.holder, many(3, 'wh_1', true))
        const [rest, again] = [await b.claim(), await queue.admit(b.holder, many(3, 'wh_1', true))]
        assert.deepEqual(
          [...own, ...rest].sort(),
          many(3).map(({ id }) => id)
        )
        assert.deepEqual(
          again.filter((id) => own.includes(id)),
          [],
          'held already'
        )
      }
    ],
    [
      'a retry waits for its time, and knows its attempts',
      async ({ store: queue, clock }) => {
        const a = await instance(queue)
        await queue.admit(a.holder, many(3))
        await a.claim()
        const retry = (index: number, delayMs: number) => ({ id: `msg_wh_1_${index}`, attempts: index + 1, delayMs })
        await a.settle({ retried: [retry(0, 2000), retry(1, 600_000)], ended: ['msg_wh_1_2'] })
        assert.deepEqual(await a.claim(), [])
        await elapse(clock, 2000)
        const [due] = await queue.claim(a.holder, 5, ANY_ROOM)
        assert.deepEqual([due?.id, due?.attempts], ['msg_wh_1_0', 1])
        assert.deepEqual(await a.claim(), [])
        assert.equal((await queue.counts()).waiting, 1)
      }
    ],
    [
      'what is hastened is due at once, and goes oldest first, before what came since; what is held, or of others, is left alone',
      async ({ store: queue, clock }) => {
        const [a, b] = [await instance(queue), await instance(queue)]
        for (let index = 0; index < 6; index += 1) {
          await queue.admit(a.holder, [aDelivery(`msg_${index}`), aDelivery(`other_${index}`, 'wh_2')])
          await elapse(clock, 1000)
        }
        await a.claim(12)
        const retry = (name: string, index: number) => {
          return { id: `${name}_${index}`, attempts: index + 1, delayMs: 600_000 - index * 60_000 }
        }
        // The oldest waits longest.
        const rest = [0, 1, 2, 3, 4].flatMap((index) => [retry('msg', index), retry('other', index)])
        await a.settle({ retried: rest })
        await queue.admit(a.holder, [aDelivery('msg_new')])
        assert.equal(await queue.hasten('wh_1', 4), 4)
        assert.equal(await queue.hasten('wh_1', 4), 2)
        assert.equal(await queue.hasten('wh_1', 4), 0)
        const taken = await queue.claim(b.holder, 12, ANY_ROOM)
        assert.deepEqual(
          taken.map(({ id, attempts }) => `${id} ${attempts}`),
          ['msg_0 1', 'msg_1 2', 'msg_2 3', 'msg_3 4', 'msg_4 5', 'msg_new 0']
        )
        await a.settle({ retried: [{ id: 'msg_5', attempts: 1, delayMs: 60_000 }] })
        assert.deepEqual(await a.claim(), [], 'what was held keeps its time')
      }
    ],
    [
      'what has ended is gone, what is given back is there for others',
      async ({ store: queue }) => {
        const [a, b] = [await instance(queue), await instance(queue)]
        await queue.admit(a.holder, many(4))
        await a.claim()
        await a.settle({ ended: ['msg_wh_1_0', 'msg_wh_1_1', 'msg_of_another_time'], released: ['msg_wh_1_2'] })
        assert.deepEqual(await b.claim(), ['msg_wh_1_2'])
        await b.settle({ ended: ['msg_wh_1_2'] })
        await a.settle({ ended: ['msg_wh_1_3'] })
        assert.deepEqual(await queue.counts(), { waiting: 0, held: 0, oldestMs: null })
      }
    ],
    [
      'a long line of one endpoint does not stand before the others, and none is taken beyond its room',
      async ({ store: queue }) => {
        const a = await instance(queue)
        await queue.admit(a.holder, many(300))
        await queue.admit(a.holder, many(2, 'wh_0'))
        await queue.admit(a.holder, many(2, 'wh_2'))
        const of = (ids: readonly string[], endpointId: string) => ids.filter((id) => id.includes(endpointId)).length
        const taken = await a.claim(50, () => 4)
        assert.deepEqual([of(taken, 'wh_0'), of(taken, 'wh_1'), of(taken, 'wh_2')], [2, 4, 2])
        assert.deepEqual(await a.claim(50, () => 0), [])
      }
    ],
    [
      'one of very many endpoints comes too',
      async ({ store: queue }) => {
        const a = await instance(queue)
        const names = Array.from({ length: 150 }, (_, index) => `wh_${index}`)
        await queue.admit(
          a.holder,
          names.map((name) => aDelivery(`msg_${name}`, name))
        )
        const taken: string[] = []
        for (let round = 0; round < 150 && taken.length < 150; round += 1) taken.push(...(await a.claim(20, () => 1)))
        assert.equal(new Set(taken).size, 150)
      }
    ],
    [
      'a holder that falls silent loses what it holds; its late retry changes nothing, its late end does',
      async ({ store: queue, clock }) => {
        const [a, b] = [await instance(queue), await instance(queue)]
        await queue.admit(a.holder, many(3))
        assert.equal((await a.claim()).length, 3)
        await falls(queue, clock, b)
        assert.equal(await queue.extend(a.holder), false)
        assert.equal((await b.claim()).length, 3)
        await a.settle({ retried: [{ id: 'msg_wh_1_0', attempts: 9, delayMs: 0 }], released: ['msg_wh_1_1'] })
        assert.deepEqual(await b.claim(), [], 'they are with the other still')
        await a.settle({ ended: ['msg_wh_1_2'] })
        assert.equal((await queue.counts()).held, 2)
      }
    ],
    [
      'a holder that lives keeps what it holds, however long that takes and whatever the clock says',
      async ({ store: queue, clock }) => {
        const [a, b] = [await instance(queue), await instance(queue)]
        await queue.admit(a.holder, many(2))
        await a.claim()
        for (let beat = 0; beat < 3 * MISSED_BEATS; beat += 1) {
          clock.advance(beat % 2 === 0 ? 3_600_000 : 1)
          assert.equal(await queue.extend(a.holder), true)
          assert.equal(await queue.extend(b.holder), true)
        }
        assert.deepEqual(await b.claim(), [])
      }
    ],
    [
      'a holder that leaves frees what it holds',
      async ({ store: queue }) => {
        const [a, b] = [await instance(queue), await instance(queue)]
        await queue.admit(a.holder, many(2))
        await a.claim()
        await queue.leave(a.holder)
        assert.equal((await b.claim()).length, 2)
      }
    ],
    [
      'what reaches the queue under a name that has left is handed out to others',
      async ({ store: queue, clock }) => {
        const [a, b] = [await instance(queue), await instance(queue)]
        await queue.admit(b.holder, many(1, 'wh_2'))
        await queue.leave(a.holder)
        // Writes that were under way.
        await queue.admit(a.holder, many(2, 'wh_1', true))
        await queue.claim(a.holder, 1, ANY_ROOM)
        await falls(queue, clock, b)
        assert.equal((await b.claim()).length, 3)
      }
    ],
    [
      'what nobody holds of a deleted endpoint goes; other endpoints keep theirs',
      async ({ store: queue }) => {
        const a = await instance(queue)
        await queue.admit(a.holder, [...many(250), ...many(2, 'wh_2')])
        assert.equal((await a.claim(2, (id) => (id === 'wh_1' ? 2 : 0))).length, 2)
        assert.equal(await queue.discard('wh_1'), 248)
        assert.equal(await queue.discard('wh_1'), 0)
        assert.deepEqual([(await queue.counts()).waiting, (await queue.counts()).held], [2, 2])
      }
    ],
    [
      'counts what waits and what is held, and how old the oldest is',
      async ({ store: queue, clock }) => {
        const a = await instance(queue)
        assert.deepEqual(await queue.counts(), { waiting: 0, held: 0, oldestMs: null })
        await queue.admit(a.holder, many(2))
        await elapse(clock, 3000)
        await queue.admit(a.holder, many(1, 'wh_2'))
        await a.claim(1)
        const { waiting, held, oldestMs } = await queue.counts()
        assert.deepEqual([waiting, held], [2, 1])
        assert.ok(oldestMs !== null && oldestMs >= 3000 && oldestMs < 60_000, String(oldestMs))
      }
    ]
  ]
}

/** Proves a durable queue. @param runner tap's `t`, or any runner with `test(name, body)` */
export function durableQueueConformance(runner: ConformanceRunner, subject: DurableQueueSubject): Promise<void> {
  const { elapse } = subject
  const pass = async (clock: ManualClock, ms: number) => (elapse === undefined ? clock.advance(ms) : elapse(ms))
  return runCases(runner, casesWith(pass), subject, operations)
}
