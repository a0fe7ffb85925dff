/** Bounds of a worker of a shared queue: attempts of a lane at a time and per second, and jobs on their way in. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import type { LaneLimits } from '../../src/index.ts'
import { MISSED_HEARTBEATS } from '../../src/queue.ts'
import { aJob, jobsStore, settle } from '../support/jobs.ts'
import { aWorker, DONE, pass, watchedQueue } from '../support/workers.ts'

function limited(t: Test, laneLimits: LaneLimits) {
  const clock = new ManualClock()
  return aWorker(t, { clock, queue: inMemory(jobsStore, { clock }), limits: { laneLimits } })
}

t.test('of very many on their way into the queue those beyond the bound are dropped', async (t) => {
  const clock = new ManualClock()
  const { queue, gates } = watchedQueue(clock)
  let open = () => {}
  gates.set('admit', new Promise((resolve) => (open = resolve)))
  const { worker, handler } = aWorker(t, { clock, queue })
  handler.answer = () => DONE
  await worker.start()
  let taken = 0
  for (let index = 0; index < 50_001; index += 1) if (worker.admit(aJob('a', 'job'))) taken += 1
  t.strictSame([taken, handler.count('dropped'), worker.lost], [50_000, 1, 0])
  open()
})

t.test('limits of a lane: so many attempts at a time, and so many begun per second', async (t) => {
  const jobs = ['1', '2', '3', '4', '5']
  const atOnce = limited(t, { maxConcurrent: 2 })
  atOnce.worker.presume('a', 'quick')
  await atOnce.worker.start()
  for (const id of jobs) atOnce.worker.admit(aJob('a', id))
  await settle()
  for (const running of [2, 2, 2, 2, 1]) {
    t.equal(atOnce.worker.running, running)
    atOnce.handler.open.shift()?.end(DONE)
    await settle()
    await pass(atOnce.clock, 1)
  }
  t.equal(atOnce.handler.count('done'), 5)

  const perSecond = limited(t, { maxPerSecond: 2 })
  perSecond.handler.answer = () => DONE
  perSecond.worker.presume('a', 'quick')
  await perSecond.worker.start()
  for (const id of jobs) perSecond.worker.admit(aJob('a', id))
  await settle()
  const done: number[] = [perSecond.handler.count('done')]
  for (let second = 0; second < 3; second += 1) {
    await pass(perSecond.clock, 1)
    done.push(perSecond.handler.count('done'))
  }
  t.strictSame(done, [2, 4, 5, 5])
})

t.test('what an expired worker gave up does not count against the limits of its lane', async (t) => {
  const clock = new ManualClock()
  const queue = inMemory(jobsStore, { clock })
  const stopped = new ManualClock(clock.now())
  const limits = { maxConcurrent: 1, laneLimits: { maxConcurrent: 2 } }
  const expired = aWorker(t, { clock: stopped, queue, limits })
  for (const lane of ['a', 'b']) expired.worker.presume(lane, 'quick')
  await expired.worker.start()
  expired.worker.admit(aJob('b', 'running'))
  await settle()
  for (const id of ['1', '2']) expired.worker.admit(aJob('a', id))
  await settle()
  t.strictSame([expired.worker.running, expired.worker.waiting], [1, 2])
  await queue.heartbeat('other')
  for (let beat = 0; beat <= MISSED_HEARTBEATS + 1; beat += 1) await queue.heartbeat('other')
  await pass(stopped, 5)
  expired.handler.answer = () => DONE
  expired.handler.open[0]?.end(DONE)
  await settle()
  await pass(stopped, 6)
  t.ok(expired.handler.leasesLost > 0, 'it learns that others may hold what it runs')
  t.strictSame(
    expired.handler.events
      .filter(([event]) => event === 'done')
      .map(([, id]) => id)
      .sort(),
    ['1', '2', 'running']
  )
})
