/** `date`: a time in milliseconds, with its time zone where it is given as text. */
import { ofTexts, same } from './conversions.ts'
import { isCalendarDay } from './day.ts'
import { type Conversion, type FieldTypeDefinition, scalar } from './field-type.ts'
import { firstMomentOf } from './zoned-day.ts'

const FORM = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

const isoDate: Conversion = (value) => (typeof value === 'string' ? readDate(value) : undefined)

export const dateType: FieldTypeDefinition = {
  name: 'date',
  storage: 'date',
  takes: ['min', 'max'],
  can: scalar,
  format: { name: 'date-time', expected: 'a time in ISO 8601 with a time zone' },
  from: { ...ofTexts(isoDate), date: same, integer: (value) => readDate(new Date(value as number)), json: isoDate },
  fromInZone: { day: (value, zone) => firstMomentOf(value as string, zone) },
  read: readDate,
  expected: () => 'a Date or ISO 8601 text with a time zone, in the years 1 to 9999',
  schema: () => ({ type: 'string', format: 'date-time' }),
  dbml: () => 'timestamp'
}

/** Reads a valid `Date`, or ISO 8601 text with its time zone; milliseconds, years 1 to 9999. @returns a `Date` of its own, `undefined` when it is no such moment */
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
