/** The last hour of the process: sample by sample, bounded, and of the loop without the pace of what measures it. */
import { performance } from 'node:perf_hooks'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { SAMPLE_MS, SAMPLES, SystemHistory } from '../../src/system/system-history.ts'

const BLOCKED_MS = 100
/** Of what measures the loop. */
const PACE_MS = 20

t.test('an hour at most, oldest first, and what is under way', async (t) => {
  const clock = new ManualClock()
  const start = clock.now()
  let depth = 0
  const history = new SystemHistory(clock, () => [{ name: 'letters', depth }])
  t.match(history.read(), [{ at: start, queues: [{ name: 'letters', depth: 0 }] }])
  t.equal(history.latest().at, start, 'of a young process')
  for (depth = 1; depth <= SAMPLES + 5; depth += 1) clock.advance(SAMPLE_MS)
  clock.advance(7)
  const samples = history.read()
  t.equal(samples.length, SAMPLES + 1)
  t.equal(SAMPLES * SAMPLE_MS, 3_600_000)
  t.match(samples[0], { at: start + 6 * SAMPLE_MS, queues: [{ depth: 6 }] })
  t.match(samples.at(-2), { at: clock.now() - 7, queues: [{ depth: SAMPLES + 5 }] })
  t.equal(samples.at(-1)?.at, clock.now())
  t.equal(history.latest().at, clock.now() - 7, 'the last whole one')
  t.ok((samples.at(-1)?.memory.rss ?? 0) > (samples.at(-1)?.memory.heapUsed ?? 0))
  history.close()
  t.equal(clock.pending, 0, 'nothing is left running')
})

t.test('a blocked loop shows in its sample and not in the next one', async (t) => {
  const clock = new ManualClock()
  const history = new SystemHistory(clock, () => [])
  t.teardown(() => history.close())
  const now = () => history.read().at(-1)?.eventLoop ?? { maxMs: 0, p99Ms: 0, utilization: 0 }
  // Node measures from the second ring of its timer on.
  while (now().maxMs === 0) {
    const end = performance.now() + BLOCKED_MS
    while (performance.now() < end);
    await new Promise((resolve) => setImmediate(resolve))
  }
  clock.advance(SAMPLE_MS)
  const { maxMs, p99Ms, utilization } = history.latest().eventLoop
  t.ok(maxMs > BLOCKED_MS - 2 * PACE_MS, `${maxMs} ms`)
  t.ok(p99Ms > 0 && p99Ms <= maxMs * 1.01)
  t.ok(utilization > 0.3 && utilization <= 1)
  clock.advance(SAMPLE_MS)
  t.equal(history.latest().eventLoop.maxMs, 0, 'no ring of its timer yet')
})
