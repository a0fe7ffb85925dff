/** A worker with limits of lanes that all share: it looks again when a lane lets the next job through, and does not spin. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { Worker } from '../../src/index.ts'
import type { Queue, SharedLaneLimits } from '../../src/queue.ts'
import { aJob, lanesStore, listeningLog, settle, TEXTS } from '../support/jobs.ts'
import { aWorker, DONE, pass, Recorder, watchedQueue } from '../support/workers.ts'

const RATE = { max: 4, perS: 1, burst: 1 }

function limited(limits: SharedLaneLimits) {
  const clock = new ManualClock()
  const kept = inMemory(lanesStore, { clock })
  const claims: number[] = []
  const queue = new Proxy(kept, {
    get: (target, name: keyof Queue) => {
      if (name === 'lanes') return target.lanes
      if (name === 'changes') return undefined
      if (name === 'claim') claims.push(clock.now())
      return target[name]?.bind(target)
    }
  })
  return { clock, queue, claims, limits: { lanes: (lane: string) => (lane === 'till' ? limits : undefined) } }
}

t.test('jobs of a lane with a rate begin one after the other, sooner than the worker looks by itself', async (t) => {
  const { clock, queue, claims, limits } = limited({ rate: RATE })
  const { worker, handler } = aWorker(t, { clock, queue, limits })
  handler.answer = () => DONE
  for (let job = 0; job < 6; job += 1) worker.admit(aJob('till', `job ${job}`))
  await worker.start()
  await settle()
  t.equal(handler.count('done'), 1)
  const asked = claims.length
  const done: number[] = []
  for (let quarter = 0; quarter < 3; quarter += 1) {
    // What was done is written first, and asks for more by itself.
    clock.advance(20)
    await settle()
    clock.advance(230)
    await settle()
    done.push(handler.count('done'))
  }
  t.strictSame(done, [2, 3, 4])
  t.ok(claims.length - asked <= 9, `${claims.length - asked} claims`)
})

t.test('while a lane lets nothing through, the worker asks once a second', async (t) => {
  const { clock, queue, claims, limits } = limited({ rate: { max: 1, perS: 3600, burst: 1 } })
  const { worker, handler } = aWorker(t, { clock, queue, limits })
  handler.answer = () => DONE
  for (let job = 0; job < 5; job += 1) worker.admit(aJob('till', `job ${job}`))
  await worker.start()
  await pass(clock, 1)
  const asked = claims.length
  await pass(clock, 30)
  t.ok(claims.length - asked <= 31, `${claims.length - asked} claims in 30 s`)
  t.equal(handler.count('done'), 1)
})

t.test('what a rate lets through finds a free slot; beyond them one waits', async (t) => {
  const { clock, queue, limits } = limited({ rate: { max: 100, perS: 1, burst: 100 } })
  const { worker } = aWorker(t, { clock, queue, limits: { ...limits, maxConcurrent: 2 } })
  for (const lane of ['till', 'other']) worker.presume(lane, 'quick')
  await worker.start()
  for (let job = 0; job < 2; job += 1) worker.admit(aJob('other', `other ${job}`))
  await settle()
  await queue.admit(
    '',
    Array.from({ length: 9 }, (_, job) => ({ id: `${job}`, lane: 'till', payload: '1', held: false }))
  )
  await pass(clock, 5)
  t.strictSame([worker.running, worker.waiting], [2, 1])
})

t.test('a job of a limited lane is not held at its admission; one of another lane is', async (t) => {
  const { clock, queue, limits } = limited({ concurrent: 1 })
  const { worker, handler } = aWorker(t, { clock, queue, limits })
  for (const lane of ['till', 'free']) worker.presume(lane, 'quick')
  await worker.start()
  for (let job = 0; job < 3; job += 1) {
    worker.admit(aJob('till', `till ${job}`))
    worker.admit(aJob('free', `free ${job}`))
  }
  await settle()
  await pass(clock, 2)
  const running = handler.open.map(({ job }) => job.lane)
  t.strictSame(running.filter((lane) => lane === 'till').length, 1)
  t.strictSame(running.filter((lane) => lane === 'free').length, 3)
  t.match((await queue.lanes?.list({ limit: 9 }))?.[1], { lane: 'till', waiting: 2, held: 1 })
})

t.test('of jobs that wait in the worker the one with the earlier turn begins first', async (t) => {
  const { clock, queue } = limited({})
  const { worker, handler } = aWorker(t, { clock, queue, limits: { maxConcurrent: 1, maxQueue: 20 } })
  worker.presume('till', 'quick')
  const add = (id: string, priority: 'low' | 'normal' | 'urgent') =>
    queue.admit('', [{ id, lane: 'till', payload: '1', held: false, priority }])
  for (let job = 0; job < 4; job += 1) await add(`normal ${job}`, 'normal')
  await worker.start()
  await settle()
  t.strictSame([worker.running, worker.waiting], [1, 3])
  await add('low', 'low')
  await add('urgent', 'urgent')
  await pass(clock, 1)
  t.equal(worker.waiting, 5)
  for (let job = 0; job < 6; job += 1) {
    handler.open.at(-1)?.end(DONE)
    await settle()
  }
  t.strictSame(
    handler.open.map(({ job }) => job.id),
    ['normal 0', 'urgent', 'normal 1', 'normal 2', 'normal 3', 'low']
  )
})

t.test('limits of lanes on a queue that keeps none are refused at the start', (t) => {
  const { clock, queue } = { clock: new ManualClock(), ...watchedQueue(new ManualClock()) }
  const handler = new Recorder()
  const parts = {
    handler,
    clock,
    log: listeningLog().log,
    limits: { maxQueue: 9, maxConcurrent: 1, lanes: () => undefined }
  }
  for (const shared of [null, { queue, codec: handler, texts: TEXTS }]) {
    t.throws(() => new Worker({ ...parts, shared }), { code: 'SVC_QUEUE_LANES' })
  }
  t.end()
})
