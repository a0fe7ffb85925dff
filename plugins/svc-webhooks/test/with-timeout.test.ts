/** Waiting with a bound: the answer, its error, or the deadline; never a timer left behind. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { withTimeout } from '../src/with-timeout.ts'
import { settle } from './support/delivery-fixtures.ts'

t.test('an answer and an error come through, and the timer goes', async (t) => {
  const clock = new ManualClock()
  t.equal(await withTimeout(1000, clock, async () => 7), 7)
  await t.rejects(
    withTimeout(1000, clock, () => Promise.reject(new Error('away'))),
    { message: 'away' }
  )
  await t.rejects(
    withTimeout(1000, clock, () => {
      throw new Error('thrown at once')
    }),
    { message: 'thrown at once' }
  )
  await settle()
  t.equal(clock.pending, 0)
})

t.test('the work does not run in the stack of the caller', async (t) => {
  let begun = false
  const waiting = withTimeout(1000, new ManualClock(), async () => {
    begun = true
  })
  t.notOk(begun)
  await waiting
  t.ok(begun)
})

t.test('a store that does not answer in time; what it says later is ignored', async (t) => {
  const clock = new ManualClock()
  let late: ((error: Error) => void) | undefined
  const waiting = withTimeout(1000, clock, () => new Promise<never>((_resolve, reject) => (late = reject)))
  await settle()
  clock.advance(1000)
  await t.rejects(waiting, { code: 'SVC_WEBHOOKS_TIMEOUT' })
  late?.(new Error('too late'))
  await settle()
  t.equal(clock.pending, 0)
})
