/** `day`: a calendar day without a time. */
import { type FieldTypeDefinition, scalar } from './field-type.ts'

const DAY = /^(?!0000)\d{4}-\d{2}-\d{2}$/

export const dayType: FieldTypeDefinition = {
  name: 'day',
  storage: 'text',
  takes: ['min', 'max'],
  can: scalar,
  characters: 10,
  format: { name: 'date', expected: 'a day as YYYY-MM-DD' },
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
