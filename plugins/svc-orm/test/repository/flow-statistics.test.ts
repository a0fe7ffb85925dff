/** Totals go on, rings forget: what is kept is bounded. */
import t from 'tap'
import { FlowStatistics } from '../../src/repository/flow-statistics.ts'

const clock = { now: () => 7 }

t.test('before anything was measured all is zero', async (t) => {
  const flow = new FlowStatistics({ enabled: true, slowMs: 100 })
  t.same(flow.view(), { total: 0, avgMs: 0, lastMs: 0, maxMs: 0, slowTotal: 0, slow: [] })
  t.same(flow.latency(), { min: 0, avg: 0, max: 0, samples: 0 })
})

t.test('totals, latencies and slow operations, newest first', async (t) => {
  const flow = new FlowStatistics({ enabled: true, slowMs: 100 })
  for (const ms of [10, 100, 1, 250]) flow.record('Note', 'find', ms, clock)
  t.same(flow.view(), {
    total: 4,
    avgMs: 361 / 4,
    lastMs: 250,
    maxMs: 250,
    slowTotal: 2,
    slow: [
      { entity: 'Note', operation: 'find', ms: 250, ts: 7 },
      { entity: 'Note', operation: 'find', ms: 100, ts: 7 }
    ]
  })
  t.same(flow.latency(), { min: 1, avg: 361 / 4, max: 250, samples: 4 })
})

t.test('the rings keep the last 256 latencies and the last 50 slow operations', async (t) => {
  const flow = new FlowStatistics({ enabled: true, slowMs: 0 })
  for (let ms = 1; ms <= 1000; ms += 1) flow.record('Note', 'find', ms, clock)
  const { total, slowTotal, slow } = flow.view()
  t.same([total, slowTotal, slow.length, slow[0]?.ms, slow[49]?.ms], [1000, 1000, 50, 1000, 951])
  t.match(flow.latency(), { min: 745, max: 1000, samples: 256 })
})

t.test('switched off, it counts nothing', async (t) => {
  const flow = new FlowStatistics({ enabled: false, slowMs: 0 })
  flow.record('Note', 'find', 5, clock)
  t.equal(flow.view().total, 0)
})
