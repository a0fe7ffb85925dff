/** Claims that look from where the last one was: what comes in before that is seen within a second, and most of it at once. */
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import type { NewJob, Queue } from '../../src/queue.ts'
import { jobsStore } from '../support/jobs.ts'

const ANY_ROOM = () => Number.POSITIVE_INFINITY
const NOTHING = { ended: [], retried: [], released: [] }
const aJob = (id: string, held = false): NewJob => ({ id, lane: 'lane', payload: '1', held })

/** Two workers of one database, each with a clock of its own. The first has just looked, and three jobs wait since a minute. */
async function twoWorkers() {
  const [clock, other] = [new ManualClock(), new ManualClock()]
  const database = memoryDatabase({ clock })
  const here = jobsStore.open(database, { clock }) as Queue
  const there = jobsStore.open(database, { clock: other }) as Queue
  await here.heartbeat('here')
  await there.heartbeat('there')
  await here.admit('here', [aJob('mine', true)])
  await there.admit('there', [aJob('theirs', true)])
  clock.advance(1_000)
  other.advance(1_000)
  await here.admit(
    'here',
    ['1', '2', '3'].map((id) => aJob(id))
  )
  clock.advance(60_000)
  other.advance(60_000)
  const claim = async (limit = 1) => (await here.claim('here', limit, ANY_ROOM)).map(({ id }) => id)
  t.strictSame(await claim(), ['1'])
  return { clock, other, here, there, claim }
}

t.test('a job that another worker gives back has its turn within a second', async (t) => {
  const { clock, there, claim } = await twoWorkers()
  await there.settle('there', { ...NOTHING, released: ['theirs'] })
  clock.advance(999)
  t.strictSame(await claim(), ['2'], 'looked for from the last one on')
  clock.advance(1)
  t.strictSame(await claim(9), ['theirs', '3'])
})

t.test('where nothing else waits as well', async (t) => {
  const { clock, there, claim } = await twoWorkers()
  await claim(9)
  await there.settle('there', { ...NOTHING, released: ['theirs'] })
  clock.advance(1_000)
  t.strictSame(await claim(9), ['theirs'])
})

t.test('also after the clock of this worker was set back', async (t) => {
  const { clock, there, claim } = await twoWorkers()
  await there.settle('there', { ...NOTHING, released: ['theirs'] })
  clock.advance(-30_000)
  t.strictSame(await claim(9), ['theirs', '2', '3'])
})

t.test('what this worker gives back, tries again or is to have at once is seen at once', async (t) => {
  for (const [name, change] of [
    ['released', (queue: Queue) => queue.settle('here', { ...NOTHING, released: ['mine'] })],
    [
      'retried',
      (queue: Queue) => queue.settle('here', { ...NOTHING, retried: [{ id: 'mine', attempts: 1, delayMs: -61_000 }] })
    ],
    ['left', (queue: Queue) => queue.leave('here')]
  ] as const) {
    const { here, claim } = await twoWorkers()
    await change(here)
    t.ok((await claim(9)).includes('mine'), name)
  }
  const { here, claim } = await twoWorkers()
  await here.reschedule('lane', 9)
  t.strictSame(await claim(9), ['2', '3'])
})

t.test('a job of a transaction that took long, or of a clock that is behind, is seen at once', async (t) => {
  const { other, there, claim } = await twoWorkers()
  await claim(9)
  t.strictSame(await claim(9), [], 'nothing waits')
  other.advance(-9_999)
  await there.admit('', [aJob('late')])
  t.strictSame(await claim(9), ['late'])
})

t.test('a job that is due later hides none that is due before it', async (t) => {
  const { there, claim } = await twoWorkers()
  await claim(9)
  await there.admit('', [{ ...aJob('in an hour'), delayMs: 3_600_000 }])
  t.strictSame(await claim(9), [])
  await there.admit('', [aJob('now')])
  t.strictSame(await claim(9), ['now'])
})
