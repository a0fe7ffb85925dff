/** Days and moments: which of the one a value of the other is depends on the time zone, which a person names. Pure. */
import { type ZoneOffset, zoneOffset } from 'svc-stores/table'

const HOURS_24 = 24 * 60 * 60 * 1000

/** Whether `Intl` knows the zone, such as `Europe/Vienna` or `UTC`. */
export function isZone(zone: string): boolean {
  try {
    return zone !== '' && zoneOffset(zone) !== undefined
  } catch {
    return false
  }
}

/** The day of the calendar there, as `YYYY-MM-DD`. */
export function dayOf(moment: Date, zone: string): string {
  return dayAt(moment.getTime(), zoneOffset(zone))
}

/** The first moment of the day there. @param day `YYYY-MM-DD` @returns `undefined` where the zone has no such day */
export function firstMomentOf(day: string, zone: string): Date | undefined {
  const offset = zoneOffset(zone)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // The offset before a change of clocks and the one after it: midnight may come twice, or not at all.
  const candidates = [midnight - HOURS_24, midnight + HOURS_24].map((near) => midnight - offset(near))
  const first = Math.min(...candidates.filter((candidate) => dayAt(candidate, offset) === day))
  return Number.isFinite(first) ? new Date(first) : undefined
}

function dayAt(moment: number, offset: ZoneOffset): string {
  return new Date(moment + offset(moment)).toISOString().slice(0, 10)
}
