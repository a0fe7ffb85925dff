/** Moments as text in a time zone. The vectors are worked out by hand. */
import t from 'tap'
import { formatDate } from '../../src/values/format-date.ts'

const rows: readonly (readonly [moment: string, format: string, zone: string, text: string])[] = [
  ['2026-11-27T14:05:00Z', '%Y-%m-%dT%H', 'UTC', '2026-11-27T14'],
  ['2026-03-29T00:59:59Z', '%Y-%m-%dT%H', 'Europe/Berlin', '2026-03-29T01'],
  ['2026-03-29T01:00:00Z', '%Y-%m-%dT%H', 'Europe/Berlin', '2026-03-29T03'],
  ['2026-10-25T01:30:00Z', '%Y-%m-%dT%H', 'Europe/Berlin', '2026-10-25T02'],
  ['2026-12-31T23:30:00Z', '%Y', 'Europe/Berlin', '2027'],
  ['2026-01-01T04:59:59Z', '%Y-%m-%d', 'America/New_York', '2025-12-31'],
  ['2026-01-01T18:14:59Z', '%Y-%m-%d', 'Asia/Kathmandu', '2026-01-01'],
  ['2026-01-01T18:15:00Z', '%Y-%m-%d', 'Asia/Kathmandu', '2026-01-02'],
  ['2024-12-30T00:00:00Z', '%G-W%V', 'UTC', '2025-W01'],
  ['2027-01-03T23:59:59Z', '%G-W%V', 'UTC', '2026-W53'],
  ['2027-01-03T23:59:59Z', '%G-W%V', 'Europe/Berlin', '2027-W01'],
  ['0001-01-01T00:00:00Z', '%Y %%', 'UTC', '0001 %']
]

for (const [moment, format, zone, text] of rows) {
  t.test(`${moment} ${zone}`, async (t) => t.equal(formatDate(new Date(moment), format, zone), text))
}

t.test('an unknown zone, and an unknown specifier', async (t) => {
  t.throws(() => formatDate(new Date(0), '%Y', 'Europe/Nowhere'), { code: 40485 })
  t.throws(() => formatDate(new Date(0), '%Q', 'UTC'), { code: 18536 })
})
