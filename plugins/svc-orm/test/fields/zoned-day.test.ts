/** Days of moments in time zones, taken from the tables of their clocks: changes at midnight, half hours, the first day. */
import t from 'tap'
import { dayOf, firstMomentOf, isZone } from '../../src/fields/zoned-day.ts'

const DAYS: readonly (readonly [zone: string, moment: string, day: string])[] = [
  ['UTC', '2026-07-01T23:59:59.999Z', '2026-07-01'],
  ['Europe/Vienna', '2026-07-01T21:59:59.999Z', '2026-07-01'],
  ['Europe/Vienna', '2026-07-01T22:00:00.000Z', '2026-07-02'],
  ['Europe/Vienna', '2026-01-01T22:59:59.999Z', '2026-01-01'],
  ['America/New_York', '2026-07-01T03:59:59.999Z', '2026-06-30'],
  ['Asia/Kathmandu', '2026-07-01T18:15:00.000Z', '2026-07-02'],
  ['Pacific/Kiritimati', '2026-07-01T10:00:00.000Z', '2026-07-02']
]

t.test('M1: the day of a moment is that of the calendar in its zone', async (t) => {
  for (const [zone, moment, day] of DAYS) t.equal(dayOf(new Date(moment), zone), day, `${moment} in ${zone}`)
})

const MOMENTS: readonly (readonly [zone: string, day: string, moment: string | undefined])[] = [
  ['UTC', '2026-07-01', '2026-07-01T00:00:00.000Z'],
  ['Europe/Vienna', '2026-07-01', '2026-06-30T22:00:00.000Z'],
  // The clocks change later on these days.
  ['Europe/Vienna', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Europe/Vienna', '2026-10-25', '2026-10-24T22:00:00.000Z'],
  // Clocks of Brazil went from 23:59 to 01:00: that day begins at one.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
  // Those of Cuba go from 00:59 back to 00:00: the first of two midnights.
  ['America/Havana', '2023-11-05', '2023-11-05T04:00:00.000Z'],
  // Samoa had no such day.
  ['Pacific/Apia', '2011-12-30', undefined],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z']
]

t.test('M1: a day begins with its first moment in its zone', async (t) => {
  for (const [zone, day, moment] of MOMENTS) {
    t.equal(firstMomentOf(day, zone)?.toISOString(), moment, `${day} in ${zone}`)
    if (moment !== undefined) t.equal(dayOf(new Date(moment), zone), day)
  }
})

t.test('M1: zones that there are, and that there are not', async (t) => {
  t.strictSame(['UTC', 'Europe/Vienna', 'Etc/GMT-1'].map(isZone), [true, true, true])
  t.strictSame(['', 'Vienna', 'Europe/Vindobona'].map(isZone), [false, false, false])
})
