/** What instances make of the slots of a schedule, at true times and by clocks that differ. */
import t from 'tap'
import { Instances, NAME } from './instances.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Where the clocks begin. */
const START = Date.UTC(2026, 0, 1)

/** Looks every five seconds for so long. */
async function lookFor(all: Instances, ms: number, ...looking: readonly { look(): Promise<number> }[]) {
  for (let passed = 0; passed < ms; passed += 5000) {
    all.advance(5000)
    for (const instance of looking) await instance.look()
  }
}

const times = (slots: readonly number[]) => slots.map((slot) => new Date(slot).toISOString().slice(11, 16))

t.test('a schedule that is new begins with its next slot, and waits for it', async (t) => {
  const all = new Instances()
  const one = await all.start('0 * * * *', { zone: 'UTC' })
  t.equal(await one.look(), 5000)
  t.strictSame(await all.slots(), [])
  all.advance(HOUR - 2000)
  t.equal(await one.look(), 2000)
  all.advance(2000)
  await one.look()
  t.strictSame(times(await all.slots()), ['01:00'])
  t.match(await all.record(), { lastSlot: START + HOUR, decidedUntil: START + HOUR, lastJob: /^[0-9a-f-]{36}$/ })
})

t.test('fifty instances at once for one slot: one job', async (t) => {
  const all = new Instances()
  const fifty = await Promise.all(Array.from({ length: 50 }, () => all.start('0 * * * *', { zone: 'UTC' })))
  await fifty[0]?.look()
  all.advance(HOUR)
  await Promise.all(fifty.map(({ look }) => look()))
  t.strictSame(times(await all.slots()), ['01:00'])
  t.equal((await all.record()).revision, 1)
})

t.test('after an outage: none, the latest or all of the slots that were missed', async (t) => {
  const made = async (catchUp: 'none' | 'latest' | 'all') => {
    const all = new Instances()
    const before = await all.start('*/10 * * * *', { zone: 'UTC', catchUp, overlap: 'queue' })
    await before.look()
    all.advance(45 * MINUTE)
    const after = await all.start('*/10 * * * *', { zone: 'UTC', catchUp, overlap: 'queue' })
    for (let look = 0; look < 12; look += 1) {
      all.advance(5000)
      await after.look()
      await all.finish()
    }
    return { slots: times(await all.slots()), warned: after.lines.map(({ code }) => code) }
  }
  t.strictSame(await made('none'), { slots: [], warned: ['SVC_JOBS_SLOTS'] })
  t.strictSame(await made('latest'), { slots: ['00:40'], warned: ['SVC_JOBS_SLOTS'] })
  t.strictSame(await made('all'), { slots: ['00:10', '00:20', '00:30', '00:40'], warned: [] })
})

t.test('a slot that is a minute late is due; the only one that was missed is made at once', async (t) => {
  const all = new Instances()
  const none = await all.start('0 * * * *', { zone: 'UTC', catchUp: 'none' })
  await none.look()
  all.advance(HOUR + MINUTE)
  await none.look()
  t.strictSame(times(await all.slots()), ['01:00'])
  await all.finish()
  all.advance(HOUR + 30 * MINUTE)
  const latest = await all.start('0 * * * *', { zone: 'UTC' })
  await latest.look()
  t.strictSame(times(await all.slots()), ['01:00', '02:00'])
})

t.test('more slots than a thousand: the last thousand are caught up, and the log says so', async (t) => {
  const all = new Instances()
  const options = { zone: 'UTC', catchUp: 'all', overlap: 'queue' } as const
  await (await all.start('* * * * *', options)).look()
  all.advance(1300 * MINUTE)
  const one = await all.start('* * * * *', options)
  await lookFor(all, 40_000, one)
  const { waiting } = await all.record()
  t.equal(waiting.length, 999)
  t.equal(waiting.at(-1), START + 1300 * MINUTE)
  t.ok(one.lines.some(({ code }) => code === 'SVC_JOBS_SLOTS'))
})

t.test('slots are passed over once half a minute went by without an objection', async (t) => {
  const all = new Instances()
  await (await all.start('*/10 * * * *', { zone: 'UTC' })).look()
  all.advance(45 * MINUTE)
  const [one, other] = [
    await all.start('*/10 * * * *', { zone: 'UTC' }),
    await all.start('*/10 * * * *', { zone: 'UTC' })
  ]
  await lookFor(all, 25_000, one, other)
  t.match(await all.record(), { question: 'missed', lastSlot: null })
  await lookFor(all, 10_000, one, other)
  t.match(await all.record(), { question: null })
  t.strictSame(times(await all.slots()), ['00:40'])
})

t.test('a clock that is an hour ahead passes over no slot of the others', async (t) => {
  for (const catchUp of ['none', 'latest'] as const) {
    const all = new Instances()
    const options = { zone: 'UTC', catchUp, overlap: 'queue' } as const
    const right = await all.start('*/2 * * * *', options)
    await right.look()
    const ahead = await all.start('*/2 * * * *', options, HOUR)
    for (let minute = 0; minute < 20; minute += 1) {
      await lookFor(all, MINUTE, ahead, right)
      await all.finish()
    }
    const wanted = Array.from({ length: 10 }, (_, index) => START + (index + 1) * 2 * MINUTE)
    t.strictSame(await all.slots(), wanted, catchUp)
    t.ok(ahead.lines.some(({ code }) => code === 'SVC_JOBS_CLOCK'))
    t.strictSame(right.lines, [])
  }
})

t.test('a clock that is ahead makes a slot early, and the others make it no more', async (t) => {
  const all = new Instances()
  const ahead = await all.start('0 * * * *', { zone: 'UTC', overlap: 'queue' }, 30 * MINUTE)
  const right = await all.start('0 * * * *', { zone: 'UTC', overlap: 'queue' })
  await lookFor(all, 30 * MINUTE, ahead, right)
  t.strictSame(times(await all.slots()), ['01:00'])
  await lookFor(all, 31 * MINUTE, right)
  t.strictSame(times(await all.slots()), ['01:00'])
  await all.finish()
  await lookFor(all, HOUR, right)
  t.strictSame(times(await all.slots()), ['01:00', '02:00'])
})

t.test('a clock that is set back makes no slot twice', async (t) => {
  const all = new Instances()
  const one = await all.start('*/10 * * * *', { zone: 'UTC', overlap: 'queue' }, HOUR)
  await lookFor(all, 25 * MINUTE, one)
  const back = await all.start('*/10 * * * *', { zone: 'UTC', overlap: 'queue' })
  for (let minute = 0; minute < 65; minute += 1) {
    await lookFor(all, MINUTE, back)
    await all.finish()
  }
  t.strictSame(times(await all.slots()), ['01:10', '01:20', '01:30'])
})

t.test('overlap: a slot is skipped, waits, or cancels the job before it', async (t) => {
  const after = async (overlap: 'skip' | 'queue' | 'cancel') => {
    const all = new Instances()
    const [one, other] = [
      await all.start('*/10 * * * *', { zone: 'UTC', overlap }),
      await all.start('*/10 * * * *', { zone: 'UTC', overlap })
    ]
    await one.look()
    for (let slot = 0; slot < 3; slot += 1) {
      all.advance(10 * MINUTE)
      await Promise.all([one.look(), other.look()])
    }
    const { lastSlot, lastSkipped, waiting } = await all.record()
    const open = await all.open()
    return {
      all,
      one,
      slots: times(await all.slots()),
      open: open.length,
      last: times([lastSlot ?? 0, lastSkipped ?? 0]),
      waiting: times(waiting)
    }
  }
  t.match(await after('skip'), { slots: ['00:10'], open: 1, last: ['00:10', '00:30'], waiting: [] })
  t.match(await after('cancel'), { slots: ['00:10', '00:20', '00:30'], open: 1, last: ['00:30', '00:00'], waiting: [] })
  const { all, one, ...queued } = await after('queue')
  t.strictSame(queued, { slots: ['00:10'], open: 1, last: ['00:10', '00:00'], waiting: ['00:20', '00:30'] })
  for (const slots of [
    ['00:10', '00:20'],
    ['00:10', '00:20', '00:30']
  ]) {
    await all.finish()
    t.equal(await one.look(), slots.length === 2 ? 1000 : 5000)
    t.strictSame(times(await all.slots()), slots)
    t.equal((await all.open()).length, 1)
  }
})

t.test('overlap cancel: of slots that are caught up, the last one gets a job', async (t) => {
  const all = new Instances()
  const one = await all.start('*/10 * * * *', { zone: 'UTC', overlap: 'cancel', catchUp: 'all' })
  await one.look()
  all.advance(35 * MINUTE)
  await one.look()
  t.strictSame(times(await all.slots()), ['00:30'])
  t.match(await all.record(), { lastSlot: START + 30 * MINUTE, lastSkipped: START + 20 * MINUTE })
})

t.test('a slot of a pause cancels no job; a later one does, also where that job runs', async (t) => {
  const all = new Instances()
  const one = await all.start('*/10 * * * *', { zone: 'UTC', overlap: 'cancel' })
  await lookFor(all, 11 * MINUTE, one)
  const [open = ''] = await all.open()
  await all.store.pause(NAME, true)
  await lookFor(all, 10 * MINUTE, one)
  t.strictSame(await all.open(), [open])
  t.strictSame([one.added, one.cancelled], [1, []])
  await all.store.pause(NAME, false)
  await lookFor(all, 10 * MINUTE, one)
  t.strictSame([one.added, one.cancelled], [2, [open]])
})

t.test('a schedule that is paused makes no slot, then or later', async (t) => {
  const all = new Instances()
  const one = await all.start('*/10 * * * *', { zone: 'UTC', catchUp: 'all', overlap: 'queue' })
  await one.look()
  await all.store.pause(NAME, true)
  await lookFor(all, 25 * MINUTE, one)
  await all.store.pause(NAME, false)
  await lookFor(all, 10 * MINUTE, one)
  t.strictSame(times(await all.slots()), ['00:30'])
})

t.test('a new text has slots from then on; the last ones of the former text are made before', async (t) => {
  const all = new Instances()
  const old = await all.start('0 * * * *', { zone: 'UTC', overlap: 'queue' })
  await old.look()
  all.advance(HOUR + 1000)
  const young = await all.start('15,45 * * * *', { zone: 'UTC', overlap: 'queue', catchUp: 'all' })
  await young.look()
  t.match(await all.record(), { cron: '15,45 * * * *', former: ['UTC 0 * * * *'] })
  t.strictSame(times(await all.slots()), ['01:00'])
  await all.finish()
  await lookFor(all, 16 * MINUTE, old, young)
  t.strictSame(times(await all.slots()), ['01:00', '01:15'])
})

t.test('two releases side by side: slots of the newer text alone, also after the older one starts again', async (t) => {
  const all = new Instances()
  const options = { zone: 'UTC', overlap: 'queue', catchUp: 'all' } as const
  const old = await all.start('*/10 * * * *', options)
  await old.look()
  const young = await all.start('5-55/10 * * * *', options)
  await young.look()
  for (let minute = 0; minute < 30; minute += 1) {
    const restarted = minute % 3 === 0 ? [await all.start('*/10 * * * *', options)] : []
    await lookFor(all, MINUTE, old, young, ...restarted)
    await all.finish()
  }
  t.strictSame(times(await all.slots()), ['00:05', '00:15', '00:25'])
  t.strictSame([...old.lines, ...young.lines], [])
})

t.test('slots of the former text that were missed are caught up before the new one is in force', async (t) => {
  const all = new Instances()
  await (await all.start('*/10 * * * *', { zone: 'UTC' })).look()
  all.advance(35 * MINUTE)
  const young = await all.start('0 0 1 1 *', { zone: 'UTC', catchUp: 'latest' })
  await young.look()
  t.strictSame(times(await all.slots()), ['00:30'])
  t.match(await all.record(), { cron: '0 0 1 1 *', decidedUntil: all.true.now() })
})

t.test('a question whose instance is gone gives way to that of another, which waits as long', async (t) => {
  const all = new Instances()
  await (await all.start('* * * * *', { zone: 'UTC' })).look()
  await (await all.start('0 0 1 1 *', { zone: 'UTC' })).look()
  const { revision } = await all.record()
  await all.store.change(NAME, revision, { question: 'text UTC 1 2 3 4 5' })
  const back = await all.start('* * * * *', { zone: 'UTC' })
  await lookFor(all, 30_000, back)
  t.match(await all.record(), { cron: '0 0 1 1 *', question: 'text UTC 1 2 3 4 5' })
  await lookFor(all, 25_000, back)
  t.match(await all.record(), { cron: '0 0 1 1 *', question: 'text UTC * * * * *' })
  await lookFor(all, 25_000, back)
  t.match(await all.record(), { cron: '* * * * *', question: null })
})

t.test(
  'a release that is rolled back takes its text back once the newer one is gone, and misses no slot',
  async (t) => {
    const all = new Instances()
    const options = { zone: 'UTC', overlap: 'queue' } as const
    await (await all.start('* * * * *', options)).look()
    await (await all.start('0 0 1 1 *', options)).look()
    const back = await all.start('* * * * *', options)
    for (let minute = 0; minute < 4; minute += 1) {
      await lookFor(all, MINUTE, back)
      await all.finish()
    }
    const { cron, former } = await all.record()
    t.strictSame([cron, former], ['* * * * *', ['UTC 0 0 1 1 *']])
    t.strictSame(times(await all.slots()), ['00:01', '00:02', '00:03', '00:04'])
  }
)

t.test('a database that is away is an error in the log once, and an instance looks again', async (t) => {
  const all = new Instances()
  const one = await all.start('0 * * * *', { zone: 'UTC' })
  const list = one.store.list.bind(one.store)
  one.store.list = () => Promise.reject(new Error('no route'))
  t.equal(await one.look(), 5000)
  await one.look()
  t.strictSame(
    one.lines.map(({ level }) => level),
    ['error', 'debug']
  )
  one.store.list = list
  await one.look()
  t.match(one.lines.at(-1), { level: 'info', code: 'SVC_JOBS_STORE' })
})
