/** Answers that wait: each for its time, no more than a bound, and none beyond its client. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { SlowAnswers } from '../../src/receiver/slow-answers.ts'

const stays = () => undefined

t.test('no more than a thousand wait', async (t) => {
  const clock = new ManualClock()
  const slow = new SlowAnswers(clock)
  const waiting = Array.from({ length: 1000 }, () => slow.wait(1000, stays))
  await t.rejects(slow.wait(1000, stays), { code: 'SVC_TEST_BUSY' })
  clock.advance(1000)
  await Promise.all(waiting)
  t.strictSame([slow.size, clock.pending], [0, 0])
  const next = slow.wait(1, stays)
  clock.advance(1)
  await next
})

t.test('a client that leaves is waited for no longer, however often it says so', async (t) => {
  const clock = new ManualClock()
  const slow = new SlowAnswers(clock)
  let leave: () => void = stays
  const waiting = slow.wait(1000, (gone) => {
    leave = gone
  })
  leave()
  leave()
  await waiting
  t.strictSame([slow.size, clock.pending], [0, 0])
})
