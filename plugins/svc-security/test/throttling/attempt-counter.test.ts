/** Counts on a clock of their own. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { MemoryCounter } from '../../src/throttling/attempt-counter.ts'

t.test('a count lasts as long as it was told at first', async (t) => {
  const clock = new ManualClock()
  const counter = new MemoryCounter(clock)
  t.strictSame(await counter.penalty('a', 1, { customDuration: 10 }), { consumedPoints: 1, msBeforeNext: 10_000 })
  clock.advance(4000)
  t.strictSame(await counter.penalty('a', 2, { customDuration: 10 }), { consumedPoints: 3, msBeforeNext: 6000 })
  t.strictSame(await counter.get('a'), { consumedPoints: 3, msBeforeNext: 6000 })
  clock.advance(6000)
  t.equal(await counter.get('a'), null)
  t.match(await counter.penalty('a', 1, { customDuration: 10 }), { consumedPoints: 1 })
})

t.test('set and delete', async (t) => {
  const counter = new MemoryCounter(new ManualClock())
  await counter.set('a', 7, 10)
  t.match(await counter.get('a'), { consumedPoints: 7 })
  t.equal(await counter.delete('a'), true)
  t.equal(await counter.delete('a'), false)
})

t.test('a clock that is set back lengthens nothing', async (t) => {
  const clock = new ManualClock()
  const counter = new MemoryCounter(clock)
  await counter.set('a', 1, 10)
  clock.advance(-3_600_000)
  t.match(await counter.get('a'), { msBeforeNext: 10_000 })
  clock.advance(10_000)
  t.equal(await counter.get('a'), null)
})

t.test('bounded: the oldest goes first', async (t) => {
  const counter = new MemoryCounter(new ManualClock(), 2)
  for (const key of ['a', 'b', 'c']) await counter.set(key, 1, 10)
  t.equal(await counter.get('a'), null)
  t.ok((await counter.get('b')) && (await counter.get('c')))
})
