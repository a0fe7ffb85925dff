/** One deadline over the steps of an attempt: the first reason stands, and a step that begins too late never runs on. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { AttemptAborted, abortable } from '../../../src/delivery/transport/transport.ts'
import { HeldPromise } from '../../support/held-promise.ts'
import { DEADLINE_MS, deliveryTo, loopbackTransport } from '../../support/loopback-transport.ts'
import { answer, RawReceiver } from '../../support/raw-receiver.ts'

t.test('the step that runs is stopped, and no earlier one', async (t) => {
  const controller = new AbortController()
  const first = abortable(Promise.resolve('first'), controller.signal)
  t.equal(await first, 'first')
  const second = abortable(new HeldPromise<string>().promise, controller.signal)
  controller.abort(new AttemptAborted('timeout'))
  controller.abort(new AttemptAborted('closed'))
  await t.rejects(second, { message: 'timeout' })
  t.equal(await first, 'first')
})

t.test('a step that begins behind the deadline is stopped at once', async (t) => {
  const signal = AbortSignal.abort(new AttemptAborted('closed'))
  await t.rejects(abortable(Promise.resolve('late'), signal), { message: 'closed' })
})

t.test('work that cannot be stopped is waited for until the deadline', async (t) => {
  t.equal(await abortable(Promise.resolve('in time'), new AbortController().signal), 'in time')
  const controller = new AbortController()
  const work = new HeldPromise<string>()
  const waiting = abortable(work.promise, controller.signal)
  controller.abort(new AttemptAborted('timeout'))
  await t.rejects(waiting, { message: 'timeout' })
  work.reject(new Error('too late'))
  await t.rejects(work.promise)
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
