/** Time zones of the IANA database, as `Intl` knows them: how far their clocks are ahead of UTC at a moment. Pure. */

const DAY = 24 * 60 * 60 * 1000
const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/
/** Days of one zone that are remembered. */
const KEPT = 4096

/** Milliseconds ahead of UTC at a moment, in epoch ms. */
export type ZoneOffset = (moment: number) => number

/** One day of UTC, in which clocks are changed once at most. */
interface ZoneDay {
  readonly first: number
  readonly last: number
  /** When the first offset ends. */
  readonly change: number
}

const known = new Map<string, ZoneOffset>()

/** @throws RangeError for a zone that there is not */
export function zoneOffset(zone: string): ZoneOffset {
  const made = known.get(zone) ?? rememberedOffset(exactOffset(zone))
  known.set(zone, made)
  return made
}

/** `Intl` takes longer for each moment than a database does for a row. */
function rememberedOffset(exact: ZoneOffset): ZoneOffset {
  const days = new Map<number, ZoneDay>()
  return (moment) => {
    const day = Math.floor(moment / DAY)
    let found = days.get(day)
    if (found === undefined) {
      if (days.size === KEPT) days.clear()
      found = zoneDay(exact, day * DAY)
      days.set(day, found)
    }
    return moment < found.change ? found.first : found.last
  }
}

function zoneDay(exact: ZoneOffset, start: number): ZoneDay {
  const [first, last] = [exact(start), exact(start + DAY - 1)]
  if (first === last) return { first, last, change: start + DAY }
  let [before, change] = [start, start + DAY - 1]
  while (change - before > 1) {
    const middle = Math.floor((before + change) / 2)
    if (exact(middle) === first) before = middle
    else change = middle
  }
  return { first, last, change }
}

function exactOffset(timeZone: string): ZoneOffset {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  return (moment) => {
    const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(name) ?? []
    const ahead = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
    return sign === '-' ? -ahead : ahead
  }
}
