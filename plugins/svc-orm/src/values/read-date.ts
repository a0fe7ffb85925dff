/** Reads a moment: a valid `Date`, or ISO 8601 text that names its time zone. Pure; milliseconds, years 1 to 9999. */

const FORM = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** @returns a `Date` of its own, `undefined` when it is no such moment */
export function readDate(given: unknown): Date | undefined {
  const moment = momentOf(given)
  return moment >= EARLIEST && moment <= LATEST ? new Date(moment) : undefined
}

function momentOf(given: unknown): number {
  if (given instanceof Date) return given.getTime()
  if (typeof given !== 'string') return Number.NaN
  const [, day] = FORM.exec(given) ?? []
  return day === undefined || !isCalendarDay(day) ? Number.NaN : Date.parse(given)
}

/** `Date.parse` takes 30 February for a day of March. */
function isCalendarDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}
