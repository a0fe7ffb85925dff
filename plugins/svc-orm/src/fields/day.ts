/** `day`: a calendar day without a time. */
import { ofTexts, onlyText, same } from './conversions.ts'
import { type FieldTypeDefinition, scalar } from './field-type.ts'
import { dayOf } from './zoned-day.ts'

const DAY = /^(?!0000)\d{4}-\d{2}-\d{2}$/

export const dayType: FieldTypeDefinition = {
  name: 'day',
  storage: 'text',
  takes: ['min', 'max'],
  can: scalar,
  narrow: true,
  characters: 10,
  format: { name: 'date', expected: 'a day as YYYY-MM-DD' },
  from: { ...ofTexts(same), day: same, json: onlyText },
  fromInZone: { date: (value, zone) => dayOf(value as Date, zone) },
  read: (given) => (typeof given === 'string' && DAY.test(given) && isCalendarDay(given) ? given : undefined),
  expected: () => 'a day as YYYY-MM-DD, in the years 1 to 9999',
  schema: () => ({ type: 'string', format: 'date' }),
  dbml: () => 'date'
}

/** `Date.parse` takes 30 February for a day of March. */
export function isCalendarDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}
