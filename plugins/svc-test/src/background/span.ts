/** A span of time, as a test writes it: `90s`, `15m`, `1h`, `7d`. */
import { NoSpan } from '../errors.ts'

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** @returns milliseconds @throws NoSpan */
export function spanMs(span: string): number {
  const [, count, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(span) ?? []
  if (count === undefined) throw new NoSpan(JSON.stringify(span), Object.keys(UNITS).join(', '))
  return Number(count) * UNITS[unit as keyof typeof UNITS]
}
