/** The rate of a lane over processes that compare no clocks: judged by a model that knows the true time. */
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import type { LaneRate, LaneRules, Queue } from '../../src/queue.ts'
import { lanesStore } from '../support/jobs.ts'

const HOUR = 3_600_000
const NOTHING = { ended: [], retried: [], released: [] }

/** Processes with one database, whose clocks are so far off. */
async function processes(offMs: readonly number[]) {
  const truth = new ManualClock()
  const database = memoryDatabase({ clock: truth })
  const begin = async (off: number, name: string) => {
    const clock = { ...truth, now: () => truth.now() + off }
    const queue = lanesStore.open(database, { clock: clock as never }) as Queue
    await queue.heartbeat(name)
    const told: number[] = []
    const claim = async (rate: LaneRate, wanted: number) => {
      const rules: LaneRules = { limits: () => ({ rate }), later: (ms) => void told.push(ms) }
      const found = await queue.claim(name, wanted, () => wanted, rules)
      return found.map(({ id }) => id)
    }
    return { queue, name, claim, told }
  }
  const all = await Promise.all(offMs.map((off, index) => begin(off, `worker ${index}`)))
  const admit = (count: number) =>
    all[0]?.queue.admit(
      '',
      Array.from({ length: count }, (_, index) => ({ id: `job ${index}`, lane: 'till', payload: '1', held: false }))
    )
  return { truth, all, begin, admit, database }
}

/** The most that were let through within `perS` seconds, of moments in order. */
function mostWithin(moments: readonly number[], perS: number): number {
  let most = 0
  for (const [first, at] of moments.entries()) {
    const within = moments.slice(first).filter((other) => other < at + perS * 1000)
    most = Math.max(most, within.length)
  }
  return most
}

/** A generator of numbers from 0 to below 1, the same in each run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const RATES: readonly LaneRate[] = [
  { max: 10, perS: 10, burst: 10 },
  { max: 100, perS: 60, burst: 5 },
  { max: 1, perS: 3, burst: 1 },
  { max: 7, perS: 2, burst: 20 }
]

for (const rate of RATES) {
  const name = `${rate.max} in ${rate.perS} s, ${rate.burst} at once`
  t.test(`${name}: no window has more, whose clocks ever; and none is left waiting`, async (t) => {
    for (const seed of [1, 2, 3]) {
      const random = seeded(seed)
      const { truth, all, begin, admit } = await processes([0, HOUR, -HOUR])
      await admit(700)
      const began = truth.now()
      const moments: number[] = []
      for (let step = 0; step < 400; step += 1) {
        truth.advance(Math.floor(random() * 400))
        const place = Math.floor(random() * all.length)
        // One in fifty starts anew, and knows nothing.
        if (random() < 0.02) all[place] = await begin([0, HOUR, -HOUR][place] as number, `again ${seed} ${step}`)
        const taken = (await all[place]?.claim(rate, 1 + Math.floor(random() * 30))) ?? []
        for (const _ of taken) moments.push(truth.now())
      }
      const most = mostWithin(moments, rate.perS)
      t.ok(most <= rate.max + rate.burst, `${most} in a window`)
      const due = ((truth.now() - began) / 1000) * (rate.max / rate.perS)
      t.ok(moments.length >= Math.min(0.5 * due, 600), `${moments.length} of ${Math.floor(due)} that were due`)
    }
  })
}

t.test('the one that spent last goes on to the millisecond, and says when', async (t) => {
  const { truth, all, admit } = await processes([0])
  const [one] = all
  await admit(20)
  const rate = { max: 2, perS: 1, burst: 3 }
  t.equal((await one?.claim(rate, 10))?.length, 3)
  t.strictSame(one?.told, [500])
  truth.advance(499)
  t.equal((await one?.claim(rate, 10))?.length, 0)
  t.equal(one?.told.at(-1), 1)
  truth.advance(1)
  t.equal((await one?.claim(rate, 10))?.length, 1)
  truth.advance(HOUR)
  t.equal((await one?.claim(rate, 10))?.length, 3)
})

t.test('a worker that leaves writes down what is paid back; one that comes after it goes on from there', async (t) => {
  const { truth, all, begin, admit } = await processes([0])
  const [one] = all
  await admit(20)
  const rate = { max: 1, perS: 60, burst: 2 }
  t.equal((await one?.claim(rate, 10))?.length, 2)
  truth.advance(60_000)
  await one?.queue.leave('worker 0')
  const next = await begin(HOUR, 'next')
  t.equal((await next.claim(rate, 10)).length, 1)
  truth.advance(HOUR)
  const killed = await begin(0, 'after a kill')
  t.equal((await killed.claim(rate, 10)).length, 0, 'nobody told it how long ago that was')
  truth.advance(60_000)
  t.equal((await killed.claim(rate, 10)).length, 1)
})

t.test('a rate that was made slower, or faster, holds from the next claim on', async (t) => {
  const { truth, all, admit } = await processes([0])
  const [one] = all
  await admit(100)
  t.equal((await one?.claim({ max: 10, perS: 3600, burst: 10 }, 50))?.length, 10)
  const faster = { max: 10, perS: 10, burst: 4 }
  t.equal((await one?.claim(faster, 50))?.length, 0)
  truth.advance(4_000)
  t.equal((await one?.claim(faster, 50))?.length, 4, 'no debt is larger than the burst by now')
})

t.test('a lane without a unit left is not asked for in the database', async (t) => {
  const { all, admit, database } = await processes([0])
  const [one] = all
  await admit(20)
  const rate = { max: 1, perS: 60, burst: 1 }
  await one?.claim(rate, 10)
  let transactions = 0
  const { transaction } = database
  database.transaction = ((...given: Parameters<typeof transaction>) => {
    transactions += 1
    return transaction.apply(database, given)
  }) as typeof transaction
  for (let look = 0; look < 10; look += 1) await one?.claim(rate, 10)
  t.equal(transactions, 0)
  await one?.queue.settle('worker 0', NOTHING)
})
