/** Endpoints that hang, however many, beside those that answer: who gets the slots, and who the places of the queue. */
import t, { type Test } from 'tap'
import type { Job } from '../../src/job.ts'
import { LaneScheduler } from '../../src/scheduler/lane-scheduler.ts'
import { aJob } from '../support/jobs.ts'

const DEFAULTS = { maxQueue: 1000, maxConcurrent: 8 }
const DEADLINE_MS = 10_000
/** A healthy lane answers after so long. */
const LATENCY_MS = 50

/** Runs jobs on a clock of its own: `well...` answers, everything else hangs to the deadline. */
class Simulation {
  readonly queue: LaneScheduler
  now = 0
  /** When each job to a lane succeeded. */
  readonly done = new Map<string, number[]>()
  /** The most attempts that hung at the same time. */
  mostHanging = 0
  dropped = 0
  readonly #running: { job: Job; endsAt: number; answers: boolean }[] = []

  constructor(bounds = DEFAULTS) {
    this.queue = new LaneScheduler(bounds)
  }

  record(lanes: readonly string[], events = 1): void {
    for (let event = 0; event < events; event += 1) {
      for (const id of lanes) if (this.queue.admit(aJob(id)) !== null) this.dropped += 1
    }
    this.#begin()
  }

  /** Lets time pass until this holds. @returns how long that took, in ms; at most an hour */
  until(reached: () => boolean): number {
    const from = this.now
    while (!reached() && this.now - from < 3_600_000) {
      const nextEnd = Math.min(...this.#running.map(({ endsAt }) => endsAt))
      this.now = Math.min(nextEnd, this.queue.nextDue ?? Number.POSITIVE_INFINITY)
      if (this.now === Number.POSITIVE_INFINITY) throw new Error('nothing is left to happen')
      this.queue.promote(this.now)
      for (const attempt of this.#running.filter(({ endsAt }) => endsAt === this.now)) this.#end(attempt)
      this.#begin()
    }
    return this.now - from
  }

  finished(id: string): number {
    return this.done.get(id)?.length ?? 0
  }

  #begin(): void {
    for (let job = this.queue.next(this.now); job !== undefined; job = this.queue.next(this.now)) {
      const answers = job.lane.startsWith('well')
      this.#running.push({ job, answers, endsAt: this.now + (answers ? LATENCY_MS : DEADLINE_MS) })
    }
    this.mostHanging = Math.max(this.mostHanging, this.#running.filter(({ answers }) => !answers).length)
  }

  #end(attempt: { job: Job; answers: boolean }): void {
    this.#running.splice(
      this.#running.findIndex(({ job }) => job === attempt.job),
      1
    )
    const { job, answers } = attempt
    if (!answers) this.queue.retryAt(job, this.now + 5000, 'failing')
    else {
      this.queue.finish(job, 'quick')
      this.done.set(job.lane, [...(this.done.get(job.lane) ?? []), this.now])
    }
  }
}

const dead = (count: number) => Array.from({ length: count }, (_, index) => `dead${index}`)

/** How long one healthy lane takes for 50 events that come in one burst, with nothing beside it. */
function timeAlone(proven: boolean): number {
  const simulation = new Simulation()
  if (proven) simulation.queue.presume('well', 'quick')
  simulation.record(['well'], 50)
  return simulation.until(() => simulation.finished('well') === 50)
}

function atMostTwice(t: Test, simulation: Simulation, alone: number): void {
  const took = simulation.until(() => simulation.finished('well') === 50)
  t.ok(took <= 2 * alone, `${took} ms, ${alone} ms alone`)
  t.ok(simulation.mostHanging <= 4, `${simulation.mostHanging} of 8 slots hung at most`)
}

for (const count of [1, 4, 50]) {
  t.test(`W2: beside ${count} that hang, one that answers is done within twice its time`, async (t) => {
    const simulation = new Simulation()
    simulation.record(['well'])
    simulation.until(() => simulation.finished('well') === 1)
    simulation.done.clear()
    simulation.record([...dead(count), 'well'], 50)
    atMostTwice(t, simulation, timeAlone(true))
  })

  t.test(`W2: the same with ${count} that are known to hang, and a lane that is brand new`, async (t) => {
    const simulation = new Simulation()
    simulation.record(dead(count), 20)
    simulation.until(() => simulation.now > 300_000)
    const began = simulation.now
    simulation.record([...dead(count), 'well'])
    simulation.until(() => simulation.finished('well') === 1)
    t.equal(simulation.now - began, LATENCY_MS, 'a slot was free for it')
    simulation.record([...dead(count), 'well'], 49)
    const took = simulation.until(() => simulation.finished('well') === 50) + LATENCY_MS
    t.ok(took <= 2 * timeAlone(false), `${took} ms`)
    t.ok(simulation.mostHanging <= 4)
  })
}

for (const count of [1, 8]) {
  t.test(`W2: ${count} that were quick and die at the same time hold the slots to one deadline`, async (t) => {
    const simulation = new Simulation()
    for (const id of ['well', ...dead(count)]) simulation.queue.presume(id, 'quick')
    simulation.record(dead(count), 20)
    simulation.until(() => simulation.now >= DEADLINE_MS)
    simulation.mostHanging = 0
    simulation.record([...dead(count), 'well'], 50)
    atMostTwice(t, simulation, timeAlone(true))
  })
}

for (const place of ['first', 'last'] as const) {
  t.test(`W2: of five that were never asked the ${place} answers, and does not wait for the others`, async (t) => {
    const simulation = new Simulation()
    simulation.record(place === 'first' ? ['well', ...dead(4)] : [...dead(4), 'well'], 50)
    atMostTwice(t, simulation, timeAlone(false))
  })
}

t.test('W2: of many that were never asked each is asked in its turn', async (t) => {
  const simulation = new Simulation()
  const ids = dead(50)
  simulation.record([...ids.slice(0, 25), 'well', ...ids.slice(25)])
  const took = simulation.until(() => simulation.finished('well') === 1)
  t.ok(took <= (51 / 3) * DEADLINE_MS, `after ${took} ms`)
})

t.test('W2: an attempt at a quick lane that takes too long makes it slow while it lasts', async (t) => {
  const queue = new LaneScheduler(DEFAULTS)
  const taken = (now: number) => {
    const ids: string[] = []
    for (let job = queue.next(now); job !== undefined; job = queue.next(now)) ids.push(job.lane)
    return ids.sort().join(' ')
  }
  const admit = (lane: string, count: number) => {
    for (let index = 0; index < count; index += 1) queue.admit(aJob(lane))
  }
  for (const lane of ['once-quick', 'well']) queue.presume(lane, 'quick')
  admit('once-quick', 2)
  t.equal(taken(0), 'once-quick once-quick')
  admit('once-quick', 20)
  admit('well', 1)
  queue.clear('once-quick')
  admit('once-quick', 1)
  t.equal(taken(1000), 'once-quick well', 'a second is quick enough')
  admit('once-quick', 20)
  admit('well', 20)
  t.equal(taken(1001), 'well well well well', 'it holds more than its quarter; the rest of the slots is for quick ones')
  t.equal(queue.room('once-quick') < queue.room('well'), true, 'and it has less room')
})

t.test('W2: the room of the queue: what hangs gives way to what is quick, down to half', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 100, maxConcurrent: 8 })
  queue.presume('well', 'quick')
  for (const id of dead(10)) for (let index = 0; index < 20; index += 1) queue.admit(aJob(id))
  t.equal(queue.size, 100)
  const refused: (string | null)[] = []
  for (let index = 0; index < 60; index += 1) refused.push(queue.admit(aJob('well'))?.lane ?? null)
  t.equal(refused.filter((id) => id?.startsWith('dead')).length, 50)
  t.equal(refused.filter((id) => id === 'well').length, 10, 'its half is full')
  t.equal(queue.admit(aJob('dead0'))?.lane, 'dead0', 'nothing comes back by asking again')
  t.equal(queue.size, 100)
})

t.test('W2: what is quick leaves half of the room to the others', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 100, maxConcurrent: 8 })
  queue.presume('well', 'quick')
  for (let index = 0; index < 200; index += 1) queue.admit(aJob('well'))
  const displaced: string[] = []
  for (let index = 0; index < 60; index += 1) {
    displaced.push(queue.admit(aJob(`new${index % 3}`))?.lane ?? '')
  }
  t.equal(displaced.filter((id) => id === 'well').length, 50)
  t.equal(queue.size, 100)
})

t.test('W2: a lane that was changed is as one that was never asked', async (t) => {
  const queue = new LaneScheduler(DEFAULTS)
  for (const id of ['a', 'b', 'c']) queue.presume(id, 'failing')
  for (const id of ['a', 'b', 'c', 'c']) queue.admit(aJob(id))
  t.strictSame([queue.next(0)?.lane, queue.next(0)?.lane, queue.next(0)], ['a', 'b', undefined])
  queue.forget('c')
  t.strictSame([queue.next(0)?.lane, queue.next(0)], ['c', undefined])
})
