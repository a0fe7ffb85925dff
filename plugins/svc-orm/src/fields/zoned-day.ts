/** Days and moments: which of the one a value of the other is depends on the time zone, which a person names. Pure. */
const HOURS_24 = 24 * 60 * 60 * 1000
const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/

/** Whether `Intl` knows the zone, such as `Europe/Vienna` or `UTC`. */
export function isZone(zone: string): boolean {
  try {
    return zone !== '' && offsets(zone) !== undefined
  } catch {
    return false
  }
}

/** The day of the calendar there, as `YYYY-MM-DD`. */
export function dayOf(moment: Date, zone: string): string {
  return dayAt(moment.getTime(), offsets(zone))
}

/** The first moment of the day there. @param day `YYYY-MM-DD` @returns `undefined` where the zone has no such day */
export function firstMomentOf(day: string, zone: string): Date | undefined {
  const offset = offsets(zone)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // The offset before a change of clocks and the one after it: midnight may come twice, or not at all.
  const candidates = [midnight - HOURS_24, midnight + HOURS_24].map((near) => midnight - offset(near))
  const first = Math.min(...candidates.filter((candidate) => dayAt(candidate, offset) === day))
  return Number.isFinite(first) ? new Date(first) : undefined
}

/** Milliseconds ahead of UTC at a moment. */
type Offset = (moment: number) => number

function dayAt(moment: number, offset: Offset): string {
  return new Date(moment + offset(moment)).toISOString().slice(0, 10)
}

const known = new Map<string, Offset>()

/** @throws RangeError for a zone that there is not */
function offsets(zone: string): Offset {
  const made = known.get(zone) ?? offsetsOf(zone)
  known.set(zone, made)
  return made
}

function offsetsOf(timeZone: string): Offset {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  return (moment) => {
    const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(name) ?? []
    const ahead = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
    return sign === '-' ? -ahead : ahead
  }
}
