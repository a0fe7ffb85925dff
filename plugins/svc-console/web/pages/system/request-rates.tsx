/** The requests of the last hour by minute. */
import { Bars } from '../../parts/bars.tsx'
import { Figure } from '../../parts/figure.tsx'
import { localTime } from '../../parts/time.tsx'
import type { Rates } from './system-api.ts'

const MINUTE_MS = 60_000
const MINUTES = 60

export function RequestRates({ rates: { minutes, total } }: { readonly rates: Rates }) {
  const last = minutes.at(-1)?.at ?? 0
  const known = new Map(minutes.map((minute) => [minute.at, minute]))
  // A young process has fewer minutes; the others were without requests.
  const bars = Array.from({ length: MINUTES }, (_, index) => {
    const at = last - (MINUTES - 1 - index) * MINUTE_MS
    const { count = 0, failures = 0, p95 = null } = known.get(at) ?? {}
    const title = `${localTime(at)}: ${count} requests, ${failures} failed, 95 % within ${milliseconds(p95)}`
    return { title, good: count - failures, bad: failures }
  })
  return (
    <section class="card">
      <h2>Requests of the last hour</h2>
      <div class="health">
        <dl class="figures">
          <Figure name="Requests" value={String(total.count)} />
          <Figure name="Failed" value={String(total.failures)} />
          <Figure name="Median" value={milliseconds(total.p50)} />
          <Figure name="95th percentile" value={milliseconds(total.p95)} />
          <Figure name="99th percentile" value={milliseconds(total.p99)} />
        </dl>
        <Bars
          bars={bars}
          label={`Requests of the last hour by minute: ${total.count}, of which ${total.failures} failed`}
        />
      </div>
    </section>
  )
}

function milliseconds(value: number | null): string {
  return value === null ? '–' : `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`
}
