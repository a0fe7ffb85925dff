/** One timer, set anew only when the earliest retry is another. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { RetryAlarm } from '../../src/dispatch/retry-alarm.ts'

function setUp() {
  const clock = new ManualClock(1000)
  let rung = 0
  const alarm = new RetryAlarm(clock, () => {
    rung += 1
  })
  return { clock, alarm, rung: () => rung }
}

t.test('it rings when the earliest is due, once', async (t) => {
  const { clock, alarm, rung } = setUp()
  alarm.set(5000)
  alarm.set(5000)
  alarm.set(3000)
  t.equal(clock.pending, 1)
  clock.advance(1999)
  t.equal(rung(), 0)
  clock.advance(1)
  t.equal(rung(), 1)
  clock.advance(10_000)
  t.equal(rung(), 1)
  alarm.set(3000)
  clock.advance(0)
  t.equal(rung(), 2, 'what is overdue rings at once')
})

t.test('nothing to wait for, and the end, leave no timer', async (t) => {
  const { clock, alarm, rung } = setUp()
  alarm.set(null)
  alarm.set(5000)
  alarm.set(null)
  t.equal(clock.pending, 0)
  alarm.set(5000)
  alarm.cancel()
  alarm.cancel()
  t.equal(clock.pending, 0)
  alarm.set(5000)
  clock.advance(5000)
  t.equal(rung(), 1, 'it can be set again')
})
