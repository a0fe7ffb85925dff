/** One limit over the steps of an attempt: the first reason stands, and a step that begins too late never runs on. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { AttemptLimit } from '../../src/transport/attempt-limit.ts'
import { HeldPromise } from '../support/held-promise.ts'

t.test('the step that runs is stopped, and no earlier one', async (t) => {
  const clock = new ManualClock()
  const limit = new AttemptLimit(clock, 100)
  const stopped: string[] = []
  limit.whenReached(({ reason }) => stopped.push(`first: ${reason}`))
  limit.whenReached(({ reason }) => stopped.push(`second: ${reason}`))
  clock.advance(100)
  limit.reach('closed')
  t.strictSame(stopped, ['second: timeout'])
})

t.test('a step that begins behind the limit is stopped at once', async (t) => {
  const limit = new AttemptLimit(new ManualClock(), 100)
  limit.reach('closed')
  await t.rejects(limit.during(Promise.resolve('late')), { message: 'closed' })
})

t.test('work that cannot be stopped is waited for until the limit', async (t) => {
  const clock = new ManualClock()
  t.equal(await new AttemptLimit(clock, 100).during(Promise.resolve('in time')), 'in time')
  const work = new HeldPromise<string>()
  const waiting = new AttemptLimit(clock, 100).during(work.promise)
  clock.advance(100)
  await t.rejects(waiting, { message: 'timeout' })
  work.reject(new Error('too late'))
  await t.rejects(work.promise)
})

t.test('released, it stops nothing and leaves no timer', async (t) => {
  const clock = new ManualClock()
  const limit = new AttemptLimit(clock, 100)
  let stopped = false
  limit.whenReached(() => {
    stopped = true
  })
  limit.release()
  limit.reach('closed')
  clock.advance(1000)
  t.equal(stopped, false)
  t.equal(clock.pending, 0)
})
