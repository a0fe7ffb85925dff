/** When cron texts are due: by hand around changes of clocks, and beside a model that walks through minutes. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { type Calendar, readCalendar } from '../../src/schedules/calendar.ts'
import { type CronFields, cronText, type Field, modelSlots } from './cron-model.ts'

const FILE = new URL('../../../../../test/vectors/cron-slots.json', import.meta.url)

interface Vector {
  readonly says: string
  readonly cron: string
  readonly zone: string
  readonly after: string
  readonly slots: readonly string[]
}

const { cases } = JSON.parse(readFileSync(FILE, 'utf8')) as { readonly cases: readonly Vector[] }

function calendar(cron: string, zone: string): Calendar {
  const read = readCalendar(cron, zone)
  if ('message' in read) throw new Error(read.message)
  return read
}

function nextSlots({ next }: Calendar, after: number, until: number): readonly number[] {
  const slots: number[] = []
  for (let slot = next(after); slot !== null && slot <= until; slot = next(slot)) slots.push(slot)
  return slots
}

for (const { says, cron, zone, after, slots } of cases) {
  t.test(`${cron} in ${zone}: ${says}`, async (t) => {
    const read = calendar(cron, zone)
    const wanted = slots.map((slot) => Date.parse(slot))
    const last = wanted.at(-1) ?? 0
    const texts = (times: readonly number[]) => times.map((time) => new Date(time).toISOString())
    t.strictSame(texts(nextSlots(read, Date.parse(after), last)), texts(wanted))
    t.strictSame(texts(read.last(last, wanted.length)), texts(wanted))
    t.strictSame(texts(read.last(last + 999, 1)), texts([last]))
    t.notSame(texts(read.last(last - 1, 1)), texts([last]))
  })
}

t.test('what is no cron text, and what is no zone', async (t) => {
  const wrong = [
    '',
    '* * * *',
    '* * * * * * 2030',
    '60 * * * *',
    '0 24 * * *',
    '2026-01-01T00:00:00',
    '@reboot',
    '0 0 30 2 *'
  ]
  for (const cron of wrong) t.match(readCalendar(cron, 'UTC'), { message: /cron text/, expected: /./ }, cron)
  t.match(readCalendar(undefined as never, 'UTC'), { message: /cron text/ })
  for (const zone of ['', undefined as never]) t.match(readCalendar('@daily', zone), { message: 'it has no time zone' })
  for (const zone of ['Mars/Base', '+02:00', 'Europe']) {
    t.match(readCalendar('@daily', zone), { message: `there is no time zone "${zone}"`, expected: /Europe\/Berlin/ })
  }
})

/** Zones, and a moment around which their clocks are changed. */
const CHANGES = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['Australia/Lord_Howe', '2026-10-03'],
  ['America/Sao_Paulo', '2018-02-18'],
  ['America/Sao_Paulo', '2018-11-04'],
  ['Africa/Cairo', '2026-04-24'],
  ['Pacific/Apia', '2011-12-30'],
  ['Asia/Kathmandu', '2026-05-01']
] as const

const HOUR = 3_600_000

const listed = (min: number, max: number) => fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 })
const field = (min: number, max: number, steps: readonly number[]): fc.Arbitrary<Field> =>
  fc.oneof(listed(min, max), fc.record({ step: fc.constantFrom(...steps) }))
const seldom = (min: number, max: number): fc.Arbitrary<Field> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant({ step: 1 }) }, { weight: 1, arbitrary: listed(min, max) })

const anyCron: fc.Arbitrary<CronFields> = fc.record({
  minute: field(0, 59, [1, 7, 15, 30]),
  hour: fc.oneof(field(0, 23, [1, 2, 5]), listed(0, 3)),
  day: seldom(1, 31),
  month: seldom(1, 12),
  weekday: seldom(0, 6)
})

t.test('the next slot after any moment, in whatever order they are asked for', async (t) => {
  const from = Date.parse('2026-10-24T20:00:00Z')
  const until = from + 12 * HOUR
  const moments = fc.array(fc.integer({ min: from, max: until }), { minLength: 2, maxLength: 20 })
  const property = fc.property(anyCron, moments, (fields, asked) => {
    const model = modelSlots(fields, 'Europe/Berlin', from - 60_000, until)
    const read = readCalendar(cronText(fields), 'Europe/Berlin')
    if ('message' in read) return model.length === 0
    return asked.every((moment) => {
      const next = read.next(moment)
      return (next !== null && next <= until ? next : undefined) === model.find((slot) => slot > moment)
    })
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 40 }))
})

t.test('any cron text around any change of clocks, as the model says', async (t) => {
  const property = fc.property(
    anyCron,
    fc.constantFrom(...CHANGES),
    fc.integer({ min: -40, max: 0 }),
    fc.integer({ min: 1, max: 50 }),
    (fields, [zone, date], start, length) => {
      const from = Date.parse(date) + start * HOUR
      const until = from + length * HOUR
      const model = modelSlots(fields, zone, from, until)
      const read = readCalendar(cronText(fields), zone)
      if ('message' in read) return model.length === 0
      const slots = nextSlots(read, from, until)
      const last = read.last(until, slots.length).filter((slot) => slot > from)
      return [slots, last].every((found) => JSON.stringify(found) === JSON.stringify(model))
    }
  )
  t.doesNotThrow(() => fc.assert(property, { numRuns: 150 }))
})
