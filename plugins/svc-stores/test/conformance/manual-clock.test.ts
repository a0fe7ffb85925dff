/** The clock of the suites runs timers in order, when it is told to. */
import t from 'tap'
import { ManualClock } from '../../src/conformance/manual-clock.ts'

t.test('timers run in order of their time, at their time, and not before', async (t) => {
  const clock = new ManualClock(1000)
  const ran: [string, number][] = []
  const note = (name: string) => () => void ran.push([name, clock.now()])
  clock.setTimeout(note('late'), 20)
  clock.setTimeout(() => {
    note('early')()
    clock.setTimeout(note('chained'), 5)
  }, 10)
  const cancelled = clock.setTimeout(note('cancelled'), 5)
  clock.clearTimeout(cancelled)
  clock.advance(9)
  t.strictSame([ran, clock.pending], [[], 2])
  clock.advance(11)
  t.strictSame(ran, [
    ['early', 1010],
    ['chained', 1015],
    ['late', 1020]
  ])
  t.strictSame([clock.now(), clock.pending], [1020, 0])
})
