/**
 * Moments as text, as `$dateToString` writes them: years, months, days, hours, and the year and week of ISO 8601, in a
 * time zone of the IANA database.
 */
import { CommandError } from '../failure/command-error.ts'

const DAY = 86_400_000
const SPECIFIER = /%(.)/g

const formatters = new Map<string, Intl.DateTimeFormat>()

/** @throws CommandError 40485 for an unknown zone, 18536 for an unknown specifier */
export function formatDate(moment: Date, format: string, timezone: string): string {
  const local = localTime(moment, timezone)
  const thursday = new Date(local.getTime() + (4 - (local.getUTCDay() || 7)) * DAY)
  const year = thursday.getUTCFullYear()
  return format.replace(SPECIFIER, (_, name: string) => {
    switch (name) {
      case 'Y':
        return padded(local.getUTCFullYear(), 4)
      case 'm':
        return padded(local.getUTCMonth() + 1, 2)
      case 'd':
        return padded(local.getUTCDate(), 2)
      case 'H':
        return padded(local.getUTCHours(), 2)
      case 'G':
        return padded(year, 4)
      case 'V':
        return padded(1 + Math.floor((thursday.getTime() - startOf(year)) / (7 * DAY)), 2)
      case '%':
        return '%'
      default:
        throw new CommandError(18536, `Invalid format character '%${name}' in format string`)
    }
  })
}

/** What clocks show there, as if it were UTC. */
function localTime(moment: Date, timezone: string): Date {
  if (timezone === 'UTC') return moment
  const part = Object.fromEntries(
    formatterOf(timezone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value])
  )
  const year = part.era === 'BC' ? 1 - Number(part.year) : Number(part.year)
  const local = new Date(0)
  local.setUTCFullYear(year, Number(part.month) - 1, Number(part.day))
  local.setUTCHours(Number(part.hour), Number(part.minute), Number(part.second))
  return local
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  try {
    const two = '2-digit'
    const clock = { hour: two, minute: two, second: two, hourCycle: 'h23' } as const
    const day = { era: 'short', year: 'numeric', month: two, day: two } as const
    const made = new Intl.DateTimeFormat('en-US', { timeZone, ...day, ...clock })
    formatters.set(timeZone, made)
    return made
  } catch {
    throw new CommandError(40485, `unrecognized time zone identifier: "${timeZone}"`)
  }
}

function startOf(year: number): number {
  const first = new Date(0)
  return first.setUTCFullYear(year, 0, 1)
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}
