/** When a lane that failed works again, its jobs are rescheduled: some at a time, and no more once it fails again. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { Outages } from '../../src/durable/outages.ts'
import { settle } from '../support/jobs.ts'

function watched(reschedule: (lane: string, limit: number) => Promise<number>) {
  const clock = new ManualClock()
  const [asked, failed]: [string[], unknown[]] = [[], []]
  let rescheduled = 0
  const outages = new Outages({
    clock,
    queue: {
      reschedule: (lane, limit) => {
        asked.push(lane)
        return reschedule(lane, limit)
      }
    },
    owner: {
      rescheduled: () => {
        rescheduled += 1
      },
      failed: (_, error) => void failed.push(error)
    }
  })
  return { clock, outages, asked, failed, rescheduled: () => rescheduled }
}

t.test('a job that took several attempts ends the outage of a lane without a history', async (t) => {
  const { outages, asked, rescheduled } = watched(async () => 3)
  outages.done('wh_1', 1)
  outages.done('wh_1', 4)
  await settle()
  t.strictSame(asked, [], 'it is known to be well')
  outages.done('wh_2', 4)
  await settle()
  t.strictSame([asked, rescheduled()], [['wh_2'], 1])
  await outages.stop()
  outages.done('wh_3', 4)
  await settle()
  t.equal(asked.length, 1, 'not after the stop')
})

t.test('very many come some at a time, and no more once the lane fails again', async (t) => {
  let batches = 0
  const { clock, outages, asked } = watched(async (id, limit) => {
    batches += 1
    if (batches === 3) outages.failed(id)
    return limit
  })
  outages.failed('wh_1')
  clock.advance(60_000)
  outages.done('wh_1', 1)
  await settle()
  t.equal(asked.length, 3)
  outages.forget('wh_1')
  outages.done('wh_1', 1)
  await outages.stop()
  t.equal(asked.length, 3, 'forgotten')
})

t.test('a queue that is away is asked again by the next job that is done', async (t) => {
  let away = true
  const { clock, outages, asked, failed } = watched(async () => {
    if (away) throw new Error('the database is away')
    return 0
  })
  outages.failed('wh_1')
  clock.advance(60_000)
  outages.done('wh_1', 1)
  await settle()
  away = false
  outages.done('wh_1', 1)
  await settle()
  outages.done('wh_1', 1)
  await settle()
  t.strictSame([asked.length, failed.length], [2, 1])
})

t.test('a failure that is shorter than a minute, or between jobs that are done, changes no schedule', async (t) => {
  const { clock, outages, asked } = watched(async () => 0)
  outages.failed('wh_1')
  clock.advance(59_999)
  outages.failed('wh_1')
  outages.done('wh_1', 9)
  await settle()
  t.strictSame(asked, [])
  outages.failed('wh_1')
  clock.advance(59_999)
  outages.failed('wh_1')
  clock.advance(1)
  outages.done('wh_1', 1)
  await settle()
  t.strictSame(asked, ['wh_1'], 'counted from the first failure')
})

t.test('of very many lanes that fail the oldest is forgotten', async (t) => {
  const { clock, outages, asked } = watched(async () => 0)
  for (let index = 0; index <= 10_000; index += 1) outages.failed(`wh_${index}`)
  clock.advance(60_000)
  for (const lane of ['wh_1', 'wh_10000', 'wh_0']) {
    outages.done(lane, 1)
    await settle()
  }
  t.strictSame(asked, ['wh_1', 'wh_10000'])
})

t.test('the owner hears of what was rescheduled, and not of a lane without jobs', async (t) => {
  const found = [1000, 7, 0]
  const { outages, rescheduled } = watched(async () => found.shift() ?? 0)
  outages.done('wh_1', 2)
  await settle()
  t.strictSame([found, rescheduled()], [[0], 2])
  outages.done('wh_2', 2)
  await settle()
  t.strictSame([found, rescheduled()], [[], 2])
})
