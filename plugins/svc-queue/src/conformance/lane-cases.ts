/** Lanes of a shared queue: limits that all workers keep to together, rates, pauses, and priorities that age. */
import assert from 'node:assert/strict'
import { atOnce, type ConformanceCase, type ManualClock } from 'svc-stores/conformance'
import type { LaneControl, LaneRules, NewJob, Priority, Queue, SharedLaneLimits } from '../queue.ts'
import { ANY_ROOM, aJob, aWorker, type Elapse, many, type Shared, shared } from './queue-subject.ts'

/** Limits of the lane `till`, and what a claim says of when to look again. */
function limited(limits: SharedLaneLimits): LaneRules & { readonly told: number[] } {
  const told: number[] = []
  return { limits: (lane) => (lane === 'till' ? limits : undefined), later: (ms) => void told.push(ms), told }
}

const controlOf = ({ lanes }: Queue): LaneControl => {
  assert.ok(lanes !== undefined, 'the driver has `lanes`')
  return lanes
}

const urgency = (id: string, priority: Priority): NewJob => ({ ...aJob(id, 'till'), priority })

const MINUTE = 60_000

export function laneCases(elapse: Elapse): ConformanceCase<Queue>[] {
  const taken = async ({ queue, b }: Pick<Shared, 'queue' | 'b'>, limit = 1) =>
    (await queue.claim(b.name, limit, ANY_ROOM)).map(({ id }) => id)
  /** A second after which the other workers know what became of a lane. */
  const learnt = (clock: ManualClock) => elapse(clock, 1_000)
  return [
    shared(
      'of a lane with a limit all workers together hold no more, whoever asks first; others are as before',
      async ({ queue }) => {
        const workers = await atOnce(8, () => aWorker(queue))
        await queue.admit('', [...many(20, 'till'), ...many(2, 'free')])
        const rules = limited({ concurrent: 3 })
        const claim = () => atOnce(8, (index) => queue.claim(workers[index]?.name ?? '', 2, () => 2, rules))
        const held = (await claim()).flat()
        const of = (name: string) => held.filter(({ lane }) => lane === name)
        assert.deepEqual([of('till').length, of('free').length], [3, 2])
        await workers[0]?.settle({
          ended: of('till')
            .slice(0, 2)
            .map(({ id }) => id)
        })
        assert.equal((await claim()).flat().length, 2)
        assert.deepEqual(rules.told, [], 'only a rate says when to look again')
      }
    ),
    shared('what a worker gives back, or fails, counts no longer', async ({ queue, a, b }) => {
      await queue.admit(a.name, many(6, 'till'))
      const rules = limited({ concurrent: 2 })
      const first = await queue.claim(a.name, 9, ANY_ROOM, rules)
      assert.deepEqual([first.length, (await queue.claim(b.name, 9, ANY_ROOM, rules)).length], [2, 0])
      const [one = '', other = ''] = first.map(({ id }) => id)
      await a.settle({ released: [one], retried: [{ id: other, attempts: 1, delayMs: MINUTE }] })
      assert.equal((await queue.claim(b.name, 9, ANY_ROOM, rules)).length, 2)
      await queue.leave(b.name)
      assert.equal((await queue.claim(a.name, 9, ANY_ROOM, rules)).length, 2)
    }),
    shared(
      'a rate lets a burst through, then one job after the other, to all workers together',
      async ({ queue, clock }) => {
        const workers = await atOnce(4, () => aWorker(queue))
        await queue.admit('', many(40, 'till'))
        // One in two seconds.
        const rules = limited({ rate: { max: 30, perS: 60, burst: 5 } })
        const claim = async () =>
          (await atOnce(4, (index) => queue.claim(workers[index]?.name ?? '', 9, ANY_ROOM, rules))).flat().length
        assert.equal(await claim(), 5)
        assert.ok(rules.told.length > 0)
        assert.ok(
          rules.told.every((ms) => ms > 0 && ms <= 2_000),
          'it says when the next one is let through'
        )
        const counts: number[] = []
        for (let second = 0; second < 12; second += 1) {
          await elapse(clock, 1_000)
          counts.push(await claim())
        }
        assert.deepEqual(counts, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1])
        await elapse(clock, 10 * MINUTE)
        assert.equal(await claim(), 5, 'no more than the burst, however long it was quiet')
      }
    ),
    shared('a rate and a limit hold together, and neither holds another lane back', async ({ queue, a, clock }) => {
      await queue.admit(a.name, [...many(9, 'till'), ...many(3, 'free')])
      const rules = limited({ concurrent: 2, rate: { max: 60, perS: 60, burst: 3 } })
      const claim = async () => (await queue.claim(a.name, 20, ANY_ROOM, rules)).map(({ id }) => id)
      const first = await claim()
      assert.equal(first.length, 5)
      const held = first.filter((id) => id.includes('till'))
      await a.settle({ ended: held })
      assert.equal((await claim()).length, 1, 'the rest of the burst')
      await elapse(clock, 5_000)
      assert.equal((await claim()).length, 1, 'one is held still')
    }),
    shared(
      'a paused lane hands out nothing; what is held goes on, and other lanes do',
      async ({ queue, a, b, clock }) => {
        const lanes = controlOf(queue)
        await queue.admit(a.name, [...many(3, 'till'), ...many(2, 'free')])
        const [held = ''] = await a.claim(1, (lane) => (lane === 'till' ? 1 : 0))
        await lanes.pause('till')
        await learnt(clock)
        assert.deepEqual(
          await b.claim(),
          many(2, 'free').map(({ id }) => id)
        )
        assert.deepEqual(
          await queue.claim(b.name, 9, ANY_ROOM, limited({ concurrent: 9 })),
          [],
          'nor where it is limited'
        )
        await a.settle({ retried: [{ id: held, attempts: 1, delayMs: 0 }] })
        await queue.admit(a.name, [aJob('later', 'till')])
        assert.deepEqual(await b.claim(), [])
        await lanes.resume('till')
        await learnt(clock)
        assert.deepEqual(await b.claim(), ['later', ...many(3, 'till').map(({ id }) => id)])
      }
    ),
    shared(
      'a lane is paused before its first job, twice, and resumed though it is not paused',
      async ({ queue, a, clock }) => {
        const lanes = controlOf(queue)
        await lanes.resume('till')
        await Promise.all([lanes.pause('till'), lanes.pause('till')])
        await queue.admit(a.name, many(1, 'till'))
        await learnt(clock)
        assert.deepEqual(await a.claim(), [])
        const [state] = await lanes.list({ limit: 9 })
        assert.deepEqual([state?.lane, state?.paused, state?.waiting], ['till', true, 1])
        await lanes.resume('till')
        await learnt(clock)
        assert.equal((await a.claim()).length, 1)
      }
    ),
    shared(
      'lanes are listed by name, page after page, with what waits, is held, and how old it is',
      async ({ queue, a, clock }) => {
        const lanes = controlOf(queue)
        assert.deepEqual(await lanes.list({ limit: 9 }), [])
        await queue.admit(a.name, many(3, 'b'))
        await elapse(clock, 3_000)
        await queue.admit(a.name, [...many(1, 'd'), { ...aJob('late', 'a'), delayMs: MINUTE }])
        await a.claim(1, (lane) => (lane === 'd' ? 1 : 0))
        await lanes.pause('c')
        const listed = await lanes.list({ limit: 9 })
        const old = listed.find(({ lane }) => lane === 'b')?.oldestMs ?? 0
        assert.ok(old >= 3_000 && old < MINUTE, String(old))
        const quiet = { paused: false, waiting: 0, held: 0, oldestMs: null }
        assert.deepEqual(listed, [
          { ...quiet, lane: 'a', waiting: 1 },
          { ...quiet, lane: 'b', waiting: 3, oldestMs: old },
          { ...quiet, lane: 'c', paused: true },
          { ...quiet, lane: 'd', held: 1 }
        ])
        const names = async (limit: number, after?: string) =>
          (await lanes.list({ limit, after })).map(({ lane }) => lane)
        assert.deepEqual([await names(2), await names(2, 'b'), await names(2, 'd')], [['a', 'b'], ['c', 'd'], []])
      }
    ),
    shared(
      'of jobs of one lane the higher priority goes first, and the older one of a priority',
      async ({ queue, a, b, clock }) => {
        for (const [index, priority] of (['low', 'normal', 'high', 'urgent', 'high'] as const).entries()) {
          await queue.admit(a.name, [urgency(`${priority}_${index}`, priority)])
          await elapse(clock, 1_000)
        }
        await queue.admit(a.name, [aJob('normal_5', 'till')])
        const order: string[] = []
        for (let job = 0; job < 6; job += 1) order.push(...(await taken({ queue, b })))
        assert.deepEqual(order, ['urgent_3', 'high_2', 'high_4', 'normal_1', 'normal_5', 'low_0'])
      }
    ),
    shared(
      'a job that waits overtakes higher priorities: each step is worth ten minutes',
      async ({ queue, a, b, clock }) => {
        await queue.admit(a.name, [urgency('low', 'low'), urgency('normal', 'normal')])
        await elapse(clock, 10 * MINUTE - 1_000)
        await queue.admit(a.name, [urgency('high', 'high')])
        assert.deepEqual(await taken({ queue, b }), ['high'], 'the normal job is not old enough')
        await elapse(clock, 2_000)
        await queue.admit(a.name, [urgency('high later', 'high'), urgency('urgent', 'urgent')])
        assert.deepEqual(await taken({ queue, b }), ['urgent'])
        assert.deepEqual(await taken({ queue, b }), ['normal'], 'it is by now')
        await elapse(clock, 20 * MINUTE)
        await queue.admit(a.name, [urgency('urgent later', 'urgent')])
        assert.deepEqual(await taken({ queue, b }, 3), ['high later', 'low', 'urgent later'])
      }
    ),
    shared('a claim of several jobs takes them by their turns too', async ({ queue, a, b, clock }) => {
      await queue.admit(a.name, [urgency('low', 'low')])
      await elapse(clock, 29 * MINUTE)
      await queue.admit(a.name, [urgency('urgent', 'urgent')])
      await elapse(clock, 2 * MINUTE)
      await queue.admit(a.name, [urgency('urgent later', 'urgent'), urgency('normal', 'normal')])
      assert.deepEqual(await taken({ queue, b }, 2), ['urgent', 'low'])
      assert.deepEqual(await taken({ queue, b }, 2), ['urgent later', 'normal'])
    }),
    shared('no stream of urgent jobs keeps a low one from its turn', async ({ queue, a, b, clock }) => {
      await queue.admit(a.name, [urgency('low', 'low'), urgency('urgent', 'urgent')])
      let waited = 0
      for (let minute = 0; minute < 60; minute += 1) {
        await queue.admit(a.name, [urgency(`urgent ${minute}`, 'urgent')])
        const [job] = await taken({ queue, b })
        if (job === 'low') break
        waited += 1
        await elapse(clock, MINUTE)
      }
      // Three steps lie between them.
      assert.ok(waited >= 29 && waited < 35, `${waited} minutes`)
    }),
    shared(
      'a priority makes no job due before its time, and stays with it through retries',
      async ({ queue, a, b, clock }) => {
        await queue.admit(a.name, [{ ...urgency('urgent', 'urgent'), delayMs: MINUTE }, urgency('low', 'low')])
        assert.deepEqual(await taken({ queue, b }, 9), ['low'])
        await elapse(clock, MINUTE)
        assert.deepEqual(await taken({ queue, b }, 9), ['urgent'])
        await b.settle({ retried: ['urgent', 'low'].map((id) => ({ id, attempts: 1, delayMs: 5_000 })) })
        await elapse(clock, 5_000)
        assert.deepEqual(await taken({ queue, b }, 9), ['urgent', 'low'])
      }
    ),
    shared('among many lanes with jobs of several priorities each gets its turn', async ({ queue, a }) => {
      const names = Array.from({ length: 30 }, (_, index) => `lane_${index}`)
      const jobs = names.flatMap((lane) =>
        (['low', 'normal', 'urgent'] as const).map((priority) => ({ ...aJob(`${lane} ${priority}`, lane), priority }))
      )
      await queue.admit(a.name, jobs)
      const order: string[] = []
      for (let round = 0; round < 90 && order.length < 90; round += 1) order.push(...(await a.claim(10, () => 1)))
      assert.equal(new Set(order).size, 90)
      const place = (lane: string, priority: string) => order.indexOf(`${lane} ${priority}`)
      for (const lane of names) {
        assert.ok(place(lane, 'urgent') < place(lane, 'normal') && place(lane, 'normal') < place(lane, 'low'), lane)
      }
    })
  ]
}
