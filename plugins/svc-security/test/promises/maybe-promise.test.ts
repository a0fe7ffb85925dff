/** Values that may be promises: synchronous where they are none, bounded where they are. */
import t from 'tap'
import { andThen, isThenable, withDeadline } from '../../src/promises/maybe-promise.ts'
import { ManualClock } from '../support/manual-clock.ts'

t.test('isThenable', (t) => {
  // biome-ignore lint/suspicious/noThenProperty: foreign thenables are what is told apart
  for (const value of [Promise.resolve(), { then: () => {} }]) t.equal(isThenable(value), true)
  // biome-ignore lint/suspicious/noThenProperty: no thenable at all
  for (const value of [null, undefined, 0, 'then', {}, { then: 1 }, () => {}]) t.equal(isThenable(value), false)
  t.end()
})

t.test('andThen stays synchronous for a value and follows a promise', async (t) => {
  t.equal(
    andThen(1, (n) => n + 1),
    2
  )
  t.equal(await andThen(Promise.resolve(1), (n) => n + 1), 2)
  t.throws(
    () =>
      andThen(1, () => {
        throw new Error('now')
      }),
    { message: 'now' }
  )
  await t.rejects(async () => andThen(Promise.reject(new Error('later')), () => 1), { message: 'later' })
})

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
