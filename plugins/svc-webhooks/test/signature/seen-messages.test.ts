/** Repeats are seen, within the bounds of number and age. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { createSeenMessages } from '../../src/signature/seen-messages.ts'

t.test('an id is new once', async (t) => {
  const seen = createSeenMessages()
  t.equal(seen.firstTime('msg_1'), true)
  t.equal(seen.firstTime('msg_1'), false)
  t.equal(seen.firstTime('msg_2'), true)
})

t.test('an id may pass again once it is forgotten', async (t) => {
  const seen = createSeenMessages()
  seen.firstTime('msg_1')
  seen.forget('msg_1')
  t.equal(seen.firstTime('msg_1'), true)
  t.equal(seen.size, 1)
})

t.test('an id is held for its time, counted from its first arrival', async (t) => {
  const clock = new ManualClock()
  const seen = createSeenMessages({ ttlS: 60, clock })
  seen.firstTime('msg_1')
  clock.advance(59_999)
  t.equal(seen.firstTime('msg_1'), false)
  clock.advance(1)
  t.equal(seen.firstTime('msg_1'), true)
  t.equal(seen.size, 1)
})

t.test('memory is bounded: the oldest give way', async (t) => {
  const clock = new ManualClock()
  const seen = createSeenMessages({ maxEntries: 3, clock })
  for (const id of ['a', 'b', 'c', 'd']) seen.firstTime(id)
  t.equal(seen.size, 3)
  t.strictSame(['b', 'c', 'd'].map(seen.firstTime), [false, false, false])
  t.equal(seen.firstTime('a'), true)
  t.equal(seen.firstTime('b'), true, 'b gave way to a')
})

t.test('bounds below one are refused', async (t) => {
  for (const options of [{ maxEntries: 0 }, { ttlS: 0 }, { maxEntries: Number.NaN }, { ttlS: -1 }]) {
    t.throws(() => createSeenMessages(options), RangeError)
  }
})
