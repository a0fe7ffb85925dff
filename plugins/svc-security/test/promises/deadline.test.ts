/** The wait for a promise, bounded. */
import t from 'tap'
import { withDeadline } from '../../src/promises/deadline.ts'
import { ManualClock } from '../support/manual-clock.ts'

t.test('withDeadline: in time, failed in time, too late', async (t) => {
  const clock = new ManualClock()
  t.equal(await withDeadline(Promise.resolve(1), 10, clock), 1)
  await t.rejects(withDeadline(Promise.reject(new Error('x')), 10, clock), { message: 'x' })
  t.same(clock.armed, [])
  let fail: (error: Error) => void = () => {}
  const slow = withDeadline(
    new Promise((_resolve, reject) => {
      fail = reject
    }),
    10,
    clock
  )
  t.same(clock.armed, [10])
  clock.ring()
  await t.rejects(slow, { code: 'SVC_SEC_DEADLINE' })
  fail(new Error("a late failure is nobody's"))
  await new Promise(setImmediate)
})

t.test('withDeadline: a failure and a late answer are recovered from, a failing recovery rejects', async (t) => {
  const clock = new ManualClock()
  const codeOf = (error: unknown) => String((error as { code?: unknown }).code)
  t.equal(await withDeadline(Promise.resolve('in time'), 10, clock, codeOf), 'in time')
  const broken = Object.assign(new Error('x'), { code: 'BROKEN' })
  t.equal(await withDeadline(Promise.reject(broken), 10, clock, codeOf), 'BROKEN')
  t.same(clock.armed, [])
  const late = withDeadline(new Promise<string>(() => {}), 10, clock, codeOf)
  const failing = withDeadline(new Promise<string>(() => {}), 10, clock, () => {
    throw broken
  })
  clock.ring()
  t.equal(await late, 'SVC_SEC_DEADLINE')
  await t.rejects(failing, { code: 'BROKEN' })
})
