/**
 * When a cron text is due, read off the clocks of its zone minute by minute with `Intl`: slow, plain, and without the
 * library that svc-jobs uses.
 */

/** The fields of a cron text: listed values, a step from the first value, or all. */
export interface CronFields {
  readonly minute: Field
  readonly hour: Field
  readonly day: Field
  readonly month: Field
  readonly weekday: Field
}

export type Field = readonly number[] | { readonly step: number }

const MINUTE = 60_000

export function cronText({ minute, hour, day, month, weekday }: CronFields): string {
  return [minute, hour, day, month, weekday].map(fieldText).join(' ')
}

function fieldText(field: Field): string {
  if ('step' in field) return field.step === 1 ? '*' : `*/${field.step}`
  return field.join(',')
}

function has(field: Field, value: number, first = 0): boolean {
  return 'step' in field ? (value - first) % field.step === 0 : field.includes(value)
}

interface Wall {
  readonly at: number
  readonly date: string
  /** Minutes since midnight. */
  readonly clock: number
  readonly isDay: boolean
}

/** What the clocks of the zone show at each minute. */
function walls(cron: CronFields, timeZone: string, from: number, until: number): readonly Wall[] {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit'
  })
  const found: Wall[] = []
  for (let at = from; at <= until; at += MINUTE) {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts
    const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay()
    found.push({
      at,
      date: `${year}-${month}-${day}`,
      clock: hour * 60 + minute,
      isDay: isDay(cron, month, day, weekday)
    })
  }
  return found
}

/** A day and a weekday that are both named: one of them is enough. */
function isDay({ day, month, weekday }: CronFields, m: number, d: number, w: number): boolean {
  if (!has(month, m, 1)) return false
  const isBoth = Array.isArray(day) && Array.isArray(weekday)
  return isBoth ? has(day, d, 1) || has(weekday, w) : has(day, d, 1) && has(weekday, w)
}

/** @param from epoch ms, exclusive, of a whole minute @param until inclusive @returns epoch ms, in order */
export function modelSlots(cron: CronFields, zone: string, from: number, until: number): readonly number[] {
  // A time that was missing or comes twice begins up to a day before.
  const seen = walls(cron, zone, from - 1441 * MINUTE, until)
  const { minute, hour } = cron
  const isFixed = Array.isArray(minute) && Array.isArray(hour)
  const slots = isFixed
    ? fixedSlots(seen, minute, hour)
    : seen
        .filter(({ clock, isDay }) => isDay && has(minute, clock % 60) && has(hour, Math.floor(clock / 60)))
        .map(({ at }) => at)
  return [...new Set(slots)].filter((at) => at > from && at <= until).sort((a, b) => a - b)
}

/** Each time of each day once: the first of two, and right after the gap where there is none. */
function fixedSlots(seen: readonly Wall[], minutes: readonly number[], hours: readonly number[]): number[] {
  const days = Map.groupBy(
    seen.filter(({ isDay }) => isDay),
    ({ date }) => date
  )
  return [...days.values()].flatMap((day) =>
    hours.flatMap((hour) =>
      minutes.flatMap((minute) => {
        const wanted = hour * 60 + minute
        const there = day.find(({ clock }) => clock === wanted) ?? day.find(({ clock }) => clock > wanted)
        return there === undefined ? [] : [there.at]
      })
    )
  )
}
