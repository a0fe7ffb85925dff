/** How an endpoint fares: a word for lists, and the last day in numbers and bars. */
import { useAnswer } from '../../app/answer.ts'
import { Badge } from '../../parts/badge.tsx'
import { Bars } from '../../parts/bars.tsx'
import { Figure } from '../../parts/figure.tsx'
import { allDeliveries, type Delivery, type Endpoint } from './webhooks-api.ts'

const HOUR_MS = 3_600_000
const HOURS = 24

export function HealthBadge({ endpoint }: { readonly endpoint: Endpoint }) {
  const { enabled, failureCount, lastDeliveryAt } = endpoint
  if (!enabled)
    return <Badge tone={failureCount > 0 ? 'bad' : 'plain'}>{failureCount > 0 ? 'disabled' : 'paused'}</Badge>
  if (failureCount > 0) return <Badge tone="bad">{`failing × ${failureCount}`}</Badge>
  if (lastDeliveryAt === null) return <Badge tone="plain">no delivery</Badge>
  return <Badge tone="good">healthy</Badge>
}

export interface DayOfDeliveries {
  readonly total: number
  readonly delivered: number
  /** Milliseconds; `null` without a delivery. */
  readonly p50: number | null
  readonly p95: number | null
  /** Per hour, the oldest first. */
  readonly hours: readonly { readonly delivered: number; readonly failed: number }[]
}

/** Attempts that another followed count for nothing but their time. Pure. @param now epoch ms */
export function dayOf(deliveries: readonly Delivery[], now: number): DayOfDeliveries {
  const recent = deliveries.filter(({ ts }) => ts > now - HOURS * HOUR_MS && ts <= now)
  const ended = recent.filter(({ outcome }) => outcome !== 'retried')
  const times = recent.map(({ durationMs }) => durationMs).sort((a, b) => a - b)
  const hours = Array.from({ length: HOURS }, () => ({ delivered: 0, failed: 0 }))
  for (const { ts, ok } of ended) {
    const hour = hours[HOURS - 1 - Math.floor((now - ts) / HOUR_MS)]
    if (hour !== undefined) hour[ok ? 'delivered' : 'failed'] += 1
  }
  const part = (share: number) => times[Math.min(Math.floor(times.length * share), times.length - 1)] ?? null
  return { total: ended.length, delivered: ended.filter(({ ok }) => ok).length, p50: part(0.5), p95: part(0.95), hours }
}

export function EndpointHealth({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, lastDeliveryAt } = endpoint
  const now = Date.now()
  const since = String(now - HOURS * HOUR_MS)
  const { value } = useAnswer(`${id} ${lastDeliveryAt}`, () => allDeliveries(id, { since }))
  if (value === null) return <p class="muted">Loading …</p>
  const day = dayOf(value, now)
  if (day.total === 0) return <p class="muted">No delivery ended within the last 24 hours.</p>
  return (
    <div class="health">
      <dl class="figures">
        <Figure name="Success, 24 h" value={`${percent(day.delivered, day.total)} of ${day.total}`} />
        <Figure name="Median time" value={`${day.p50} ms`} />
        <Figure name="95th percentile" value={`${day.p95} ms`} />
      </dl>
      <DayBars hours={day.hours} />
    </div>
  )
}

/** Down, so that one failure never reads as none. */
export function percent(part: number, whole: number): string {
  return `${Math.floor((part / whole) * 1000) / 10} %`
}

function DayBars({ hours }: Pick<DayOfDeliveries, 'hours'>) {
  const failures = hours.reduce((sum, { failed }) => sum + failed, 0)
  const bars = hours.map(({ delivered, failed }, index) => ({
    title: `${HOURS - index} h ago: ${delivered} delivered, ${failed} failed`,
    good: delivered,
    bad: failed
  }))
  return <Bars bars={bars} label={`Deliveries of the last 24 hours by hour; ${failures} failed`} />
}
