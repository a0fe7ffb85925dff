/** Parts of moments as expressions of the server. Pure. */
import type { Document } from 'mongodb'
import { columnOf, type TimePart, type TimeUnit } from 'svc-stores/table'
import type { DocumentColumns } from './document-columns.ts'

const FORMATS: Readonly<Record<TimeUnit, string>> = {
  year: '%Y',
  quarter: '%Y-Q',
  month: '%Y-%m',
  week: '%G-W%V',
  day: '%Y-%m-%d',
  hour: '%Y-%m-%dT%H'
}

/** The first months of each quarter but the last. */
const QUARTERS = [
  ['1', ['01', '02', '03']],
  ['2', ['04', '05', '06']],
  ['3', ['07', '08', '09']]
] as const

/** Text, and null for null. */
export function timeExpression(columns: DocumentColumns, { unit, column, zone }: TimePart): Document {
  const held = `$${columns.field(column)}`
  const isDay = columnOf(columns.plan, column).type === 'text'
  const date = isDay ? { $dateFromString: { dateString: held } } : held
  const formatted = (format: string) => ({ $dateToString: { date, format, timezone: zone } })
  const text = formatted(FORMATS[unit])
  if (unit !== 'quarter') return text
  // No format of the server has quarters.
  const month = formatted('%m')
  const quarter = QUARTERS.reduceRight<unknown>((rest, [name, months]) => {
    return { $cond: [{ $in: [month, months] }, name, rest] }
  }, '4')
  return { $concat: [text, quarter] }
}
