/** Times: relative to now, in the local zone, with UTC where the pointer rests. */
import { signal } from '@preact/signals'

const now = signal(Date.now())
setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 10_000)

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const ofDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

const UNITS: readonly [limitS: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [60, 'second', 1],
  [3600, 'minute', 60],
  [86_400, 'hour', 3600],
  [2_592_000, 'day', 86_400],
  [31_536_000, 'month', 2_592_000],
  [Number.POSITIVE_INFINITY, 'year', 31_536_000]
]

/** @param ts epoch ms */
export function ago(ts: number, from: number): string {
  const seconds = Math.round((ts - from) / 1000)
  if (Math.abs(seconds) < 5) return 'now'
  const [, unit, size] = UNITS.find(([limit]) => Math.abs(seconds) < limit) ?? (['', 'second', 1] as const)
  return relative.format(Math.trunc(seconds / size), unit)
}

export function localTime(ts: number): string {
  return local.format(ts)
}

/** Without the date, where it is of the last day. */
export function timeOfDay(ts: number): string {
  return ofDay.format(ts)
}

interface TimeProps {
  /** Epoch ms; `null` for never. */
  readonly at: number | null
  /** Shows the date and time instead of how long ago it is. */
  readonly whole?: boolean
}

export function Time({ at, whole = false }: TimeProps) {
  if (at === null) return <span class="muted">never</span>
  const utc = new Date(at).toISOString()
  const passed = ago(at, now.value)
  return (
    <time dateTime={utc} title={whole ? utc : `${localTime(at)}\n${utc}`}>
      {whole ? `${localTime(at)} (${passed})` : passed}
    </time>
  )
}
