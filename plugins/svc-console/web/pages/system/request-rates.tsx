/** The requests of the last hour by minute: how many, and how long they took. */
import { useMemo } from 'preact/hooks'
import { Chart } from '../../parts/chart.tsx'
import type { ChartData } from '../../parts/chart-data.ts'
import { Figure, milliseconds } from '../../parts/figure.tsx'
import type { Rates } from './system-api.ts'

const MINUTE_MS = 60_000
const MINUTES = 60

export function RequestRates({ rates }: { readonly rates: Rates }) {
  const { total } = rates
  const { counts, times } = useMemo(() => charted(rates), [rates])
  return (
    <section class="card">
      <h2>Requests of the last hour</h2>
      <dl class="figures">
        <Figure name="Requests" value={String(total.count)} />
        <Figure name="Failed" value={String(total.failures)} />
        <Figure name="Median" value={milliseconds(total.p50)} />
        <Figure name="95th percentile" value={milliseconds(total.p95)} />
        <Figure name="99th percentile" value={milliseconds(total.p99)} />
      </dl>
      <div class="charts">
        <Chart title="Requests by minute" data={counts} stacked whole />
        <Chart title="Time to answer" data={times} format={milliseconds} />
      </div>
    </section>
  )
}

/** A young process has fewer minutes; the others were without requests. */
function charted({ minutes }: Rates): { counts: ChartData; times: ChartData } {
  const until = minutes.at(-1)?.at ?? 0
  const from = until - (MINUTES - 1) * MINUTE_MS
  const known = new Map(minutes.map((minute) => [minute.at, minute]))
  const times = Array.from({ length: MINUTES }, (_, index) => from + index * MINUTE_MS)
  const hour = times.map((at) => known.get(at) ?? { count: 0, failures: 0, p50: null, p95: null, p99: null })
  return {
    counts: {
      times,
      from,
      until,
      series: [
        { name: 'answered', tone: 'good', values: hour.map(({ count, failures }) => count - failures) },
        { name: 'failed', tone: 'bad', values: hour.map(({ failures }) => failures) }
      ]
    },
    times: {
      times,
      from,
      until,
      series: [
        { name: 'median', tone: 'good', values: hour.map(({ p50 }) => p50) },
        { name: '95th percentile', tone: 'warn', values: hour.map(({ p95 }) => p95) },
        { name: '99th percentile', tone: 'bad', values: hour.map(({ p99 }) => p99) }
      ]
    }
  }
}
