/** Times: relative to now, in the local zone, with UTC where the pointer rests. */
import { signal } from '@preact/signals'
import { speech } from './words.ts'

const now = signal(Date.now())
setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 10_000)

/** Made with the first time that is shown: by then the page knows its language. */
function formats() {
  made ??= {
    relative: new Intl.RelativeTimeFormat(speech.locale, { numeric: 'auto', style: 'short' }),
    local: new Intl.DateTimeFormat(speech.dates, { dateStyle: 'medium', timeStyle: 'medium' }),
    ofDay: new Intl.DateTimeFormat(speech.dates, { timeStyle: 'medium' })
  }
  return made
}

let made: Readonly<{
  relative: Intl.RelativeTimeFormat
  local: Intl.DateTimeFormat
  ofDay: Intl.DateTimeFormat
}> | null = null

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
  if (Math.abs(seconds) < 5) return formats().relative.format(0, 'second')
  const [, unit, size] = UNITS.find(([limit]) => Math.abs(seconds) < limit) ?? (['', 'second', 1] as const)
  return formats().relative.format(Math.trunc(seconds / size), unit)
}

export function localTime(ts: number): string {
  return formats().local.format(ts)
}

/** Without the date, where it is of the last day. */
export function timeOfDay(ts: number): string {
  return formats().ofDay.format(ts)
}

interface TimeProps {
  /** Epoch ms; `null` for never. */
  readonly at: number | null
  /** Shows the date and time instead of how long ago it is. */
  readonly whole?: boolean
}

export function Time({ at, whole = false }: TimeProps) {
  if (at === null) return <span class="muted">{speech.words.never}</span>
  const utc = new Date(at).toISOString()
  const passed = ago(at, now.value)
  return (
    <time dateTime={utc} title={whole ? utc : `${localTime(at)}\n${utc}`}>
      {whole ? `${localTime(at)} (${passed})` : passed}
    </time>
  )
}
