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
