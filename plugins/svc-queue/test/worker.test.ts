/** The loop in memory: slots, bounds and drops, retries, and what a stop loses. */
import { AsyncLocalStorage } from 'node:async_hooks'
import t from 'tap'
import type { WorkerLimits } from '../src/index.ts'
import { aJob, settle } from './support/jobs.ts'
import { aWorker, DONE, FAILED, LATER } from './support/workers.ts'

t.test('8 attempts at once, 1000 jobs, and each beyond them is dropped', async (t) => {
  const { worker, handler } = aWorker(t)
  handler.answer = () => DONE
  worker.admit(aJob('a', 'first'))
  await settle()
  handler.answer = null
  const taken = Array.from({ length: 1200 }, (_, index) => worker.admit(aJob('a', `job_${index}`)))
  t.equal(taken.filter(Boolean).length, 1000)
  t.equal(handler.count('dropped'), 200)
  await settle()
  t.strictSame([worker.running, worker.waiting], [8, 992])
  t.strictSame(await worker.counts(), { waiting: 992, held: 8, oldestMs: null })
})

t.test('a job that is done is recorded before the queue forgets it', async (t) => {
  const { worker, handler } = aWorker(t)
  worker.admit(aJob('a', 'job'))
  await settle()
  handler.open[0]?.end(DONE)
  await settle()
  t.strictSame(handler.recorded, ['job'])
  t.strictSame(handler.events, [
    ['enqueued', 'job'],
    ['done', 'job']
  ])
  t.strictSame([worker.running, worker.waiting, worker.lost], [0, 0, 0])
})

t.test('a retry keeps its place and waits for its time; a manual job has one attempt', async (t) => {
  const { worker, handler, clock } = aWorker(t)
  handler.answer = ({ attempts }) => (attempts < 2 ? LATER : FAILED)
  worker.admit(aJob('a', 'job'))
  worker.admit({ ...aJob('b', 'by hand'), manual: true })
  await settle()
  t.strictSame([worker.running, worker.waiting], [0, 1])
  const pending = await worker.pending('a', 10)
  t.match(pending, { waiting: 1, running: 0, next: [{ dueAt: clock.now() + 5_000 }] })
  clock.advance(4_999)
  await settle()
  t.equal(worker.waiting, 1)
  clock.advance(1)
  await settle()
  t.strictSame(handler.events.slice(2), [
    ['retried', 'job'],
    ['failed', 'by hand'],
    ['failed', 'job']
  ])
})

t.test('a withdrawn job, and one whose attempt rejects, end as discarded', async (t) => {
  const { worker, handler } = aWorker(t)
  worker.admit(aJob('a', 'withdrawn'))
  worker.admit(aJob('b', 'broken'))
  await settle()
  handler.open[0]?.end({ verdict: 'withdrawn', delayMs: null })
  handler.open[1]?.fail(new Error('broken'))
  await settle()
  t.equal(handler.count('discarded'), 2)
  t.strictSame([handler.withdrawals, handler.recorded], [['withdrawn'], []])
  t.match(handler.errors, [{ message: 'broken' }])
  t.equal(worker.running, 0)
})

t.test('a discarded lane leaves its running attempt, and no more', async (t) => {
  const { worker, handler } = aWorker(t)
  for (const id of ['1', '2', '3']) worker.admit(aJob('a', id))
  worker.admit(aJob('b', '4'))
  await settle()
  const running = worker.running
  worker.discard('a')
  t.equal(handler.count('discarded'), 4 - running)
  t.equal(worker.waiting, 0)
})

t.test('a stop gives running attempts their time; jobs that live here alone are lost', async (t) => {
  const { worker, handler, clock } = aWorker(t, { limits: { maxConcurrent: 2 } })
  handler.answer = () => DONE
  worker.admit(aJob('a'))
  await settle()
  handler.answer = null
  for (const id of ['1', '2', '3']) worker.admit(aJob('a', id))
  await settle()
  const stopping = worker.stop(1_000)
  t.notOk(worker.admit(aJob('a', 'late')))
  t.notOk(worker.admit({ ...aJob('a', 'by hand'), manual: true }))
  handler.open[0]?.end(DONE)
  await settle()
  clock.advance(1_000)
  await stopping
  t.equal(worker.lost, 3, 'one that waited, one that came late, one that did not end')
  handler.open[1]?.end(DONE)
  await settle()
  t.strictSame(handler.events.at(-1), ['discarded', '2'], 'a result after the deadline changes nothing')
  t.equal(clock.pending, 0)
})

t.test('jobs run outside of the context that admits them', async (t) => {
  const { worker, handler } = aWorker(t)
  const context = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  handler.answer = () => {
    seen.push(context.getStore())
    return DONE
  }
  context.run('request', () => worker.admit(aJob('a')))
  await settle()
  t.strictSame(seen, [undefined])
})

t.test('limits that make no sense are refused at the start', async (t) => {
  const given: [Partial<WorkerLimits>, RegExp][] = [
    [{ maxConcurrent: 0 }, /maxConcurrent of a worker is 0; .* at least 1/],
    [{ maxQueue: -1 }, /maxQueue of a worker is -1; .* at least 0/],
    [{ maxQueue: 1.5 }, /maxQueue of a worker is 1.5/],
    [{ laneLimits: { maxPerSecond: 0 } }, /laneLimits.maxPerSecond of a worker is 0/]
  ]
  for (const [limits, message] of given) t.throws(() => aWorker(t, { limits }), { code: 'SVC_QUEUE_LIMITS', message })
})

t.test('a burst of drops is over at half of the queue', async (t) => {
  const { worker, handler } = aWorker(t, { limits: { maxQueue: 4, maxConcurrent: 1 } })
  for (let index = 0; index < 5; index += 1) worker.admit(aJob('a'))
  for (const [rest, bursts] of [
    [4, 0],
    [3, 0],
    [2, 1]
  ]) {
    await settle()
    t.strictSame([worker.running + worker.waiting, handler.bursts], [rest, bursts])
    handler.open.shift()?.end(DONE)
  }
})

t.test('no retry in memory waits longer than five minutes', async (t) => {
  const { worker, handler, clock } = aWorker(t)
  handler.answer = () => ({ ...LATER, delayMs: 3_600_000 })
  worker.admit(aJob('a'))
  await settle()
  clock.advance(299_999)
  await settle()
  t.equal(handler.count('retried'), 1)
  clock.advance(1)
  await settle()
  t.equal(handler.count('retried'), 2)
})

t.test('a retry that is due after the stop began is lost, and is no retry', async (t) => {
  const { worker, handler, clock } = aWorker(t, { limits: { maxConcurrent: 1 } })
  worker.admit(aJob('a', 'job'))
  await settle()
  const stopping = worker.stop(1_000)
  handler.open[0]?.end(LATER)
  await stopping
  t.strictSame(handler.events, [
    ['enqueued', 'job'],
    ['discarded', 'job']
  ])
  t.strictSame([worker.lost, worker.running, worker.waiting], [1, 0, 0])
  t.equal(clock.pending, 0, 'the stop was over with its last attempt')
})

t.test('what was learnt of a lane is forgotten: it gets the share of one that was never tried', async (t) => {
  const { worker, handler } = aWorker(t)
  handler.answer = () => DONE
  worker.admit(aJob('a'))
  await settle()
  handler.answer = null
  worker.forget('a')
  for (let index = 0; index < 10; index += 1) worker.admit(aJob('a'))
  await settle()
  t.equal(worker.running, 2, 'a quarter of eight')
})

t.test('a burst of drops is over with the stop', async (t) => {
  const { worker, handler } = aWorker(t, { limits: { maxQueue: 1, maxConcurrent: 1 } })
  for (let index = 0; index < 2; index += 1) worker.admit(aJob('a'))
  await settle()
  t.equal(handler.bursts, 0)
  const stopping = worker.stop(1_000)
  t.equal(handler.bursts, 1)
  handler.open[0]?.end(DONE)
  await stopping
})
