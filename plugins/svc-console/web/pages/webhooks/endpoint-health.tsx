/** How an endpoint fares: a word for lists, and the last day in numbers and charts. */
import { useMemo } from 'preact/hooks'
import { type Answer, useAnswer } from '../../app/answer.ts'
import { Badge } from '../../parts/badge.tsx'
import { Chart } from '../../parts/chart.tsx'
import type { ChartData } from '../../parts/chart-data.ts'
import { Figure, milliseconds } from '../../parts/figure.tsx'
import { allDeliveries, type Delivery, type Endpoint } from './webhooks-api.ts'

const HOUR_MS = 3_600_000
const HOURS = 24

export function HealthBadge({ endpoint }: { readonly endpoint: Endpoint }) {
  const { enabled, failureCount, lastDeliveryAt, degraded } = endpoint
  if (!enabled)
    return <Badge tone={failureCount > 0 ? 'bad' : 'plain'}>{failureCount > 0 ? 'disabled' : 'paused'}</Badge>
  if (failureCount > 0) return <Badge tone="bad">{`failing × ${failureCount}`}</Badge>
  if (lastDeliveryAt === null) return <Badge tone="plain">no delivery</Badge>
  if (degraded) return <Badge tone="warn">degraded</Badge>
  return <Badge tone="good">healthy</Badge>
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

export interface HourOfDeliveries {
  /** Epoch ms, when it began. */
  readonly at: number
  readonly delivered: number
  readonly failed: number
  /** Milliseconds; `null` without a delivery. */
  readonly p50: number | null
  readonly p95: number | null
}

export interface DayOfDeliveries extends Omit<HourOfDeliveries, 'at'> {
  /** The oldest first. */
  readonly hours: readonly HourOfDeliveries[]
}

/** Pure. @param now epoch ms, the end of the last of the hours */
export function dayOf(deliveries: readonly Delivery[], now: number): DayOfDeliveries {
  const begin = now - HOURS * HOUR_MS
  const recent = deliveries.filter(({ ts }) => ts > begin && ts <= now)
  const byHour = Array.from({ length: HOURS }, (): Delivery[] => [])
  for (const delivery of recent) byHour[HOURS - 1 - Math.floor((now - delivery.ts) / HOUR_MS)]?.push(delivery)
  const hours = byHour.map((own, index) => ({ at: begin + index * HOUR_MS, ...summed(own) }))
  return { ...summed(recent), hours }
}

/** Attempts that another followed count for nothing but their time. */
function summed(deliveries: readonly Delivery[]): Omit<HourOfDeliveries, 'at'> {
  const ended = deliveries.filter(({ outcome }) => outcome !== 'retried')
  const delivered = ended.filter(({ ok }) => ok).length
  const times = deliveries.map(({ durationMs }) => durationMs).sort((a, b) => a - b)
  const part = (share: number) => times[Math.min(Math.floor(times.length * share), times.length - 1)] ?? null
  return { delivered, failed: ended.length - delivered, p50: part(0.5), p95: part(0.95) }
}

/** The last day of an endpoint, anew with each delivery that the page knows of. */
export function useDay({ id, lastDeliveryAt }: Endpoint): Answer<DayOfDeliveries> {
  return useAnswer(`${id} ${lastDeliveryAt}`, async () => {
    const now = Date.now()
    return dayOf(await allDeliveries(id, { since: String(now - HOURS * HOUR_MS) }), now)
  })
}

export function EndpointHealth({ day }: { readonly day: DayOfDeliveries }) {
  const { delivered, failed, p50, p95, hours } = day
  if (delivered + failed === 0) return <p class="muted">No delivery ended within the last 24 hours.</p>
  return (
    <section class="card">
      <h2>Last 24 hours</h2>
      <dl class="figures">
        <Figure name="Success" value={`${percent(delivered, delivered + failed)} of ${delivered + failed}`} />
        <Figure name="Median time" value={milliseconds(p50)} />
        <Figure name="95th percentile" value={milliseconds(p95)} />
      </dl>
      <DayCharts hours={hours} />
    </section>
  )
}

/** Down, so that one failure never reads as none. */
export function percent(part: number, whole: number): string {
  return `${Math.floor((part / whole) * 1000) / 10} %`
}

function DayCharts({ hours }: Pick<DayOfDeliveries, 'hours'>) {
  const [outcomes, times] = useMemo(() => charted(hours), [hours])
  return (
    <div class="charts">
      <Chart title="Deliveries by hour" data={outcomes} stacked whole />
      <Chart title="Time to answer" data={times} format={milliseconds} />
    </div>
  )
}

function charted(hours: readonly HourOfDeliveries[]): [outcomes: ChartData, times: ChartData] {
  const times = hours.map(({ at }) => at)
  const domain = { times, from: times[0] ?? 0, until: times.at(-1) ?? 0 }
  return [
    {
      ...domain,
      series: [
        { name: 'delivered', tone: 'good', values: hours.map(({ delivered }) => delivered) },
        { name: 'failed', tone: 'bad', values: hours.map(({ failed }) => failed) }
      ]
    },
    {
      ...domain,
      series: [
        { name: 'median', tone: 'good', values: hours.map(({ p50 }) => p50) },
        { name: '95th percentile', tone: 'warn', values: hours.map(({ p95 }) => p95) }
      ]
    }
  ]
}
