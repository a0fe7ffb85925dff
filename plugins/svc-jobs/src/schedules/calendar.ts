/** When a schedule is due: its cron text, read on the clocks of its time zone. Pure. */
import { Cron } from 'croner'

/** The times at which a cron text is due, as epoch ms. */
export interface Calendar {
  /** @returns the first slot after a moment; `null`: there is none */
  next(after: number): number | null
  /** @returns the last slots up to and including a moment, oldest first, at most so many */
  last(until: number, most: number): readonly number[]
}

/** What is wrong with a cron text or its zone, and what is expected. */
export interface CalendarFault {
  readonly message: string
  readonly expected: string
}

const SECOND = 1000
const CRON =
  'five fields (minute hour day month weekday), six with seconds before them, @hourly, @daily, @weekly, @monthly, @yearly, or @every 90s'
const ZONE = 'the name of an IANA time zone, such as Europe/Berlin or UTC'

/** A moment that no list of seconds begins before: a text that is never due is seen to be so. */
const START = Date.UTC(2000, 0, 1)

/** @returns the calendar, or what is wrong */
export function readCalendar(cron: string, zone: string): Calendar | CalendarFault {
  if (typeof zone !== 'string' || zone === '') return { message: 'it has no time zone', expected: ZONE }
  if (!isZone(zone)) return { message: `there is no time zone "${zone}"`, expected: ZONE }
  const every = readInterval(cron)
  if (every !== null) return every
  // The library takes dates, too, which are due once.
  if (typeof cron !== 'string' || !/^(@\w+|\S+(\s+\S+){4,5})$/.test(cron.trim())) return notCron(cron)
  try {
    const calendar = calendarOf(cron, zone)
    if (calendar.next(START) !== null) return calendar
  } catch (error) {
    return notCron(cron, (error as Error).message.replace(/^\w+: /, ''))
  }
  return { message: `the cron text "${cron}" is never due`, expected: 'a date that some year has' }
}

/** @param cron as `readCalendar` has taken it */
function calendarOf(cron: string, timezone: string): Calendar {
  const read = new Cron(cron.trim(), { timezone, mode: '5-or-6-parts', fixedTimeRule: 'no-wildcard' })
  let known: { readonly after: number; readonly next: number | null } | null = null
  return {
    // Looks ask again and again for the same slot.
    next: (after) => {
      if (known !== null && after >= known.after && after < (known.next ?? Number.POSITIVE_INFINITY)) return known.next
      known = { after, next: read.nextRun(new Date(after))?.getTime() ?? null }
      return known.next
    },
    last: (until, most) => {
      // Slots are whole seconds: those before the next one are those up to the moment.
      const end = Math.floor(until / SECOND) * SECOND + SECOND
      return read
        .previousRuns(most, new Date(end))
        .map((slot) => slot.getTime())
        .reverse()
    }
  }
}

const UNITS = { s: SECOND, m: 60 * SECOND, h: 3_600 * SECOND, d: 86_400 * SECOND } as const

/** `@every 90s`: the multiples of a time since 1970, so that all instances have the same slots. @returns `null` for another text */
function readInterval(cron: unknown): Calendar | null {
  const [, count, unit] = /^@every ([1-9]\d{0,8})([smhd])$/.exec(String(cron).trim()) ?? []
  if (count === undefined) return null
  const ms = Number(count) * UNITS[unit as keyof typeof UNITS]
  const upTo = (moment: number) => Math.floor(moment / ms) * ms
  return {
    next: (after) => upTo(after) + ms,
    last: (until, most) => Array.from({ length: most }, (_, place) => upTo(until) - (most - 1 - place) * ms)
  }
}

/** Offsets such as `+02:00` are none: they know no summer. */
function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

function notCron(cron: string, reason?: string): CalendarFault {
  const why = reason === undefined ? '' : `: ${reason}`
  return { message: `${JSON.stringify(cron)} is no cron text${why}`, expected: CRON }
}
