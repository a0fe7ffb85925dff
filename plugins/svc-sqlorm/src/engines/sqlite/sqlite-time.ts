/** Parts of moments on SQLite, which knows no time zones but UTC: for others it asks a function of each connection. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { type TimePart, type TimeUnit, timeText } from 'svc-stores/table'
import type { ColumnType } from '../../schema/table-definition.ts'
import type { TimeText } from '../sql-engine.ts'

/** Takes epoch milliseconds, a unit and a zone. */
export const TIME_TEXT = 'svc_time_text'

const FORMATS: Readonly<Record<TimeUnit, string>> = {
  year: '%Y',
  quarter: '%Y-Q',
  month: '%Y-%m',
  week: '%G-W%V',
  day: '%Y-%m-%d',
  hour: '%Y-%m-%dT%H'
}

/** Moments are epoch milliseconds, days are text. */
export function timePart(column: Expression<unknown>, type: ColumnType, { unit, zone }: TimePart): TimeText {
  if (type !== 'text' && zone !== 'UTC') {
    return { text: sql`${sql.ref(TIME_TEXT)}(${column}, ${sql.lit(unit)}, ${sql.val(null)})`, parameters: [zone] }
  }
  const moment = type === 'text' ? sql`${column}` : sql`${column} / 1000.0, 'unixepoch'`
  const formatted = (format: string): RawBuilder<unknown> => sql`strftime(${sql.lit(format)}, ${moment})`
  const text = formatted(FORMATS[unit])
  if (unit !== 'quarter') return { text, parameters: [] }
  return { text: sql`${text} || ((${formatted('%m')} + 2) / 3)`, parameters: [] }
}

export function sqliteTimeText(held: unknown, unit: unknown, zone: unknown): string | null {
  return typeof held === 'number' ? timeText(held, unit as TimeUnit, String(zone)) : null
}
