/** Years, quarters, months, weeks, days and hours of moments as text in the form of ISO 8601, which sorts as they do. Pure. */
import { zoneOffset } from './time-zone.ts'

/** Weeks are those of ISO 8601: they begin on Monday, and the first of a year has its first Thursday. */
export const TIME_UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const

export type TimeUnit = (typeof TIME_UNITS)[number]

/** `2026`, `2026-Q4`, `2026-11`, `2026-W48`, `2026-11-27` or `2026-11-27T14`, as the clocks of a zone have it. */
export interface TimePart {
  readonly unit: TimeUnit
  /** Of the type `date` or `time`; or of the type `text`, where it holds days such as `2026-11-27`, which have no zone. */
  readonly column: string
  /** Of the IANA database, or `UTC`. */
  readonly zone: string
}

const DAY = 24 * 60 * 60 * 1000

const TEXTS: Readonly<Record<TimeUnit, (local: Date) => string>> = {
  year: yearOf,
  quarter: (local) => `${yearOf(local)}-Q${Math.floor(local.getUTCMonth() / 3) + 1}`,
  month: monthOf,
  week: (local) => {
    const thursday = new Date(local.getTime() + (4 - (local.getUTCDay() || 7)) * DAY)
    const days = Math.floor((thursday.getTime() - startOfYear(thursday)) / DAY)
    return `${yearOf(thursday)}-W${padded(Math.floor(days / 7) + 1, 2)}`
  },
  day: dayOf,
  hour: (local) => `${dayOf(local)}T${padded(local.getUTCHours(), 2)}`
}

/** @param held a moment as a `Date` or in epoch ms, a day as text, or null @throws RangeError for a zone that there is not */
export function timeText(held: unknown, unit: TimeUnit, zone: string): string | null {
  if (held === null || held === undefined) return null
  if (typeof held === 'string') return TEXTS[unit](new Date(`${held}T00:00:00Z`))
  const moment = Number(held)
  return TEXTS[unit](new Date(zone === 'UTC' ? moment : moment + zoneOffset(zone)(moment)))
}

function yearOf(local: Date): string {
  return padded(local.getUTCFullYear(), 4)
}

function monthOf(local: Date): string {
  return `${yearOf(local)}-${padded(local.getUTCMonth() + 1, 2)}`
}

function dayOf(local: Date): string {
  return `${monthOf(local)}-${padded(local.getUTCDate(), 2)}`
}

function startOfYear(day: Date): number {
  return new Date(0).setUTCFullYear(day.getUTCFullYear(), 0, 1)
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}
