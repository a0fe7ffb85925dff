/**
 * Random cron texts, zones and instances that come, go, stall and have clocks that differ: against the model, no slot is
 * missed, and none has two jobs.
 */
import fc from 'fast-check'
import t from 'tap'
import { type CronFields, cronText, modelSlots } from './cron-model.ts'
import { type Instance, Instances } from './instances.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const step: fc.Arbitrary<{ readonly step: number }> = fc.record({ step: fc.constantFrom(1, 5, 17, 30) })
const minute = fc.oneof(step, fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 3 }))
const every = { step: 1 }
const cron: fc.Arbitrary<CronFields> = minute.map((minute) => ({
  minute,
  hour: every,
  day: every,
  month: every,
  weekday: every
}))
const zone = fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe')

/** What happens next, at the true time. */
type Event =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'start'; readonly ahead: number }
  | { readonly kind: 'stop' | 'look' | 'finish'; readonly which: number }

const which = fc.nat({ max: 9 })
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 100, max: 20 * MINUTE }) })
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('look' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('finish' as const, 'stop' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('start' as const), ahead: fc.integer({ min: -HOUR, max: HOUR }) })
  }
)

t.test('all slots, once each, whatever instances do and whatever their clocks say', async (t) => {
  const property = fc.asyncProperty(cron, zone, fc.array(event, { maxLength: 60 }), async (fields, zone, events) => {
    const all = new Instances()
    const start = (ahead: number) => all.start(cronText(fields), { zone, catchUp: 'all', overlap: 'queue' }, ahead)
    const running: Instance[] = [await start(0)]
    await running[0]?.look()
    const { decidedUntil } = await all.record()
    for (const happens of events) {
      if (happens.kind === 'pass') all.advance(happens.ms)
      else if (happens.kind === 'start') running.push(await start(happens.ahead))
      else if (happens.kind === 'finish') await all.finish()
      else if (happens.kind === 'look') await Promise.all(running.slice(happens.which % 3).map(({ look }) => look()))
      else running.splice(happens.which, 1)
    }
    // Later than any clock was: what was made early is due by now.
    all.advance(HOUR + MINUTE)
    const last = await start(0)
    for (let looks = 0; looks < 2 || (await all.open()).length > 0; looks += 1) {
      await all.finish()
      await last.look()
    }
    const expected = modelSlots(fields, zone, decidedUntil, all.true.now())
    return JSON.stringify(await all.slots()) === JSON.stringify(expected)
  })
  await t.resolves(fc.assert(property, { numRuns: 60 }))
})

t.test('none and latest: beside an instance with the true time, no slot is missed', async (t) => {
  const property = fc.asyncProperty(
    cron,
    fc.constantFrom('none' as const, 'latest' as const),
    fc.array(fc.integer({ min: -HOUR, max: HOUR }), { minLength: 1, maxLength: 3 }),
    fc.array(fc.nat({ max: 3 }), { minLength: 10, maxLength: 60 }),
    async (fields, catchUp, clocks, turns) => {
      const all = new Instances()
      const start = (ahead: number) => all.start(cronText(fields), { zone: 'UTC', catchUp, overlap: 'queue' }, ahead)
      const right = await start(0)
      await right.look()
      const { decidedUntil } = await all.record()
      for (const turn of turns) {
        // Others start again and again, and look before or after it.
        const others = await Promise.all(clocks.map(start))
        for (let looks = 0; looks < 12; looks += 1) {
          all.advance(5000)
          if (turn % 2 === 0) await right.look()
          for (const { look } of others) await look()
          if (turn % 2 === 1) await right.look()
          await all.finish()
        }
      }
      all.advance(0)
      await right.look()
      const until = all.true.now()
      const made = (await all.slots()).filter((slot) => slot <= until)
      return JSON.stringify(made) === JSON.stringify(modelSlots(fields, 'UTC', decidedUntil, until))
    }
  )
  await t.resolves(fc.assert(property, { numRuns: 25 }))
})
