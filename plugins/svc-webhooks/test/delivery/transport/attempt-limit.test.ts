/** One limit over the steps of an attempt: the first reason stands, and a step that begins too late never runs on. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { AttemptLimit } from '../../../src/delivery/transport/transport.ts'
import { HeldPromise } from '../../support/held-promise.ts'
import { DEADLINE_MS, deliveryTo, loopbackTransport } from '../../support/loopback-transport.ts'
import { answer, RawReceiver } from '../../support/raw-receiver.ts'

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

t.test('an attempt that has ended is not stopped, and leaves no timer', async (t) => {
  const clock = new ManualClock()
  const receiver = await RawReceiver.start((socket) => socket.write(answer(200)))
  const { transport } = loopbackTransport({ clock })
  t.match(await transport.send(deliveryTo(receiver.port), DEADLINE_MS), { status: 200 })
  t.equal(clock.pending, 0)
  clock.advance(2 * DEADLINE_MS)
  t.match(await transport.send(deliveryTo(receiver.port), DEADLINE_MS), { status: 200 })
  t.equal(receiver.open, 1, 'its connection is kept')
  await transport.close()
  await receiver.close()
})
