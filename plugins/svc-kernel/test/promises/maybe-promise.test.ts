/** Values that may be promises: synchronous where they are none. */
import t from 'tap'
import { andThen, isThenable } from '../../src/promises/maybe-promise.ts'

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
