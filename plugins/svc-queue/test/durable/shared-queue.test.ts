/** The loop over a shared queue: stored before they run, held by lease, returned or handed on, and never dropped for room. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import type { WorkerLimits } from '../../src/index.ts'
import { MISSED_HEARTBEATS } from '../../src/queue.ts'
import { aJob, jobsStore, settle } from '../support/jobs.ts'
import { aWorker, DONE, LATER, pass, watchedQueue, written } from '../support/workers.ts'

/** Two workers of one queue. */
function two(t: Test, limits?: Partial<WorkerLimits>) {
  const clock = new ManualClock()
  const queue = inMemory(jobsStore, { clock })
  const given = limits === undefined ? { clock, queue } : { clock, queue, limits }
  return { clock, queue, one: aWorker(t, given), other: aWorker(t, given) }
}

t.test('a job of a shared queue is stored before it runs, and gone once its outcome is', async (t) => {
  const { clock, queue, one } = two(t)
  await one.worker.start()
  t.ok(one.worker.admit(aJob('a', 'job')))
  t.equal(one.worker.running, 0)
  await one.worker.admitted()
  await settle()
  t.match(await queue.counts(), { waiting: 0, held: 1 })
  one.handler.open[0]?.end(DONE)
  await settle()
  clock.advance(10)
  await settle()
  t.match(await queue.counts(), { waiting: 0, held: 0 })
})

t.test('a retry returns to the queue, and another worker may take it', async (t) => {
  const { clock, one, other } = two(t)
  one.handler.answer = () => LATER
  other.handler.answer = () => DONE
  await one.worker.start()
  one.worker.admit(aJob('a', 'job'))
  await settle()
  await one.close()
  await other.worker.start()
  await pass(clock, 6)
  t.strictSame(other.handler.events, [['done', 'job']])
  t.equal(one.worker.lost, 0)
})

t.test('a worker gets the jobs of one that expired; jobs without room wait in the queue', async (t) => {
  const clock = new ManualClock()
  const queue = inMemory(jobsStore, { clock })
  const stopped = new ManualClock(clock.now())
  const expired = aWorker(t, { clock: stopped, queue, limits: { maxQueue: 4 } })
  await expired.worker.start()
  for (let index = 0; index < 10; index += 1) expired.worker.admit(aJob('a', `job_${index}`))
  await settle()
  const { held } = await queue.counts()
  t.ok(held > 0 && held < 10)
  const other = aWorker(t, { clock, queue })
  other.handler.answer = () => DONE
  await other.worker.start()
  await pass(clock, 5)
  t.equal(other.handler.count('done'), 10 - held, 'jobs that no worker held')
  await pass(clock, 5 * MISSED_HEARTBEATS + 5)
  t.equal(other.handler.count('done'), 10, 'and those of the expired worker')
})

t.test('a job that cannot be read, or written, is discarded and delays nothing', async (t) => {
  const { clock, queue, one } = two(t)
  one.handler.answer = () => DONE
  await queue.heartbeat('other')
  await queue.admit('other', [{ id: 'bad', lane: 'a', payload: '"unreadable"', held: false }])
  await one.worker.start()
  one.worker.admit(aJob('a', 'unwritable'))
  one.worker.admit(aJob('a', 'good'))
  await settle()
  clock.advance(10)
  await settle()
  t.strictSame(one.handler.errors, ['bad'])
  t.strictSame(one.handler.events, [
    ['discarded', 'unwritable'],
    ['enqueued', 'good'],
    ['done', 'good']
  ])
  t.match(await queue.counts(), { waiting: 0, held: 0 })
})

t.test('a queue that cannot be reached is never answered as if it were empty', async (t) => {
  const clock = new ManualClock()
  const { queue, state } = watchedQueue(clock)
  const { worker, handler, lines } = aWorker(t, { clock, queue })
  await worker.start()
  state.away = true
  worker.admit(aJob('a', 'job'))
  await t.rejects(worker.admitted(), { code: 'TEST_UNAVAILABLE', message: 'admit' })
  await t.rejects(worker.counts(), { code: 'TEST_UNAVAILABLE', message: 'counts' })
  t.equal(await worker.pending('a', 10), null)
  t.match(lines, [{ text: 'not admitted' }, { text: 'not counted' }, { text: 'not listed' }])
  state.away = false
  handler.answer = () => DONE
  await pass(clock, 2)
  t.equal(handler.count('done'), 1)
})

t.test('a job that makes room for one by hand waits in the queue again', async (t) => {
  const { clock, queue, one } = two(t, { maxQueue: 4, maxConcurrent: 1 })
  for (const lane of ['a', 'b']) one.worker.presume(lane, 'quick')
  await one.worker.start()
  for (const id of ['1', '2']) for (const lane of ['a', 'b']) one.worker.admit(aJob(lane, `${lane}${id}`))
  await settle()
  t.match(await queue.counts(), { waiting: 0, held: 4 })
  t.ok(one.worker.admit({ ...aJob('c', 'by hand'), manual: true }))
  await written(clock)
  t.match(await queue.counts(), { waiting: 1, held: 3 })
  t.equal(one.handler.count('dropped'), 0)
})

t.test('a discarded lane is gone from the queue as well', async (t) => {
  const { clock, queue, one } = two(t, { maxQueue: 4, maxConcurrent: 1 })
  await one.worker.start()
  for (let index = 0; index < 10; index += 1) one.worker.admit(aJob('a', `job_${index}`))
  await settle()
  one.worker.discard('a')
  await written(clock)
  t.match(await queue.counts(), { waiting: 0, held: 1 }, 'but for its running attempt')
})

t.test('what this worker held of a discarded lane ends too; its other lanes go on', async (t) => {
  const clock = new ManualClock()
  const { queue, calls } = watchedQueue(clock)
  const { worker, handler } = aWorker(t, { clock, queue, limits: { maxConcurrent: 1 } })
  for (const lane of ['a', 'b']) worker.presume(lane, 'quick')
  await worker.start()
  for (const id of ['1', '2', '3']) for (const lane of ['a', 'b']) worker.admit(aJob(lane, `${lane}${id}`))
  await settle()
  worker.admit({ ...aJob('a', 'by hand'), manual: true })
  t.match(await queue.counts(), { waiting: 0, held: 6 })
  t.equal(handler.open[0]?.job.id, 'a1')
  worker.discard('a')
  await written(clock)
  t.same([worker.running, worker.waiting], [1, 3])
  t.match(await queue.counts(), { waiting: 0, held: 4 }, 'the running one, and those of the other lane')
  const discarded = handler.events.filter(([event]) => event === 'discarded').map(([, id]) => id)
  t.strictSame(discarded.sort(), ['a2', 'a3', 'by hand'])
  const ended = calls
    .filter(([name]) => name === 'settle')
    .flatMap(([, given]) => (given[1] as { ended: string[] }).ended)
  t.strictSame(ended.sort(), ['a2', 'a3'], 'the queue hears nothing of a job by hand')
})

t.test('what waits in a lane of the queue is listed, but for jobs that cannot be read', async (t) => {
  const { clock, queue, one } = two(t)
  await queue.heartbeat('other')
  const rows = ['"unreadable"', '1', '1'].map((payload, index) => ({
    id: `${index}`,
    lane: 'a',
    payload,
    held: index > 1
  }))
  await queue.admit('other', rows)
  t.match(await one.worker.pending('a', 10), {
    waiting: 2,
    running: 1,
    next: [{ job: { id: '1', lane: 'a' }, dueAt: clock.now() }]
  })
  t.equal((await one.worker.pending('a', 10))?.next.length, 1)
  t.strictSame(one.handler.errors, [], 'it is reported when its turn comes')
})

t.test('a worker knows whether its jobs outlive the process', async (t) => {
  const { one } = two(t)
  t.equal(one.worker.isShared, true)
  t.equal(aWorker(t).worker.isShared, false)
})

t.test('an outage that the driver of the queue logs is no error here', async (t) => {
  const clock = new ManualClock()
  const { queue, gates } = watchedQueue(clock)
  gates.set('heartbeat', Promise.reject(Object.assign(new Error('away'), { statusCode: 503, announced: true })))
  const { worker, lines } = aWorker(t, { clock, queue })
  await worker.start()
  t.match(lines, [{ level: 'debug', text: 'no heartbeat' }])
})

t.test('a heartbeat that fails is logged, and sent again', async (t) => {
  const clock = new ManualClock()
  const { queue, gates, calls } = watchedQueue(clock)
  gates.set('heartbeat', Promise.reject(new Error('away')))
  const { worker, handler, lines } = aWorker(t, { clock, queue })
  handler.answer = () => DONE
  await worker.start()
  t.match(lines, [{ level: 'error', text: 'no heartbeat', fields: { code: 'TEST_QUEUE', err: { message: 'away' } } }])
  gates.delete('heartbeat')
  await pass(clock, 5)
  t.equal(calls.filter(([name]) => name === 'heartbeat').length, 2)
})

t.test('a job that is admitted again while it runs, runs once; after its end it runs again', async (t) => {
  const { clock, one } = two(t)
  await one.worker.start()
  for (let round = 0; round < 2; round += 1) {
    one.worker.admit(aJob('a', 'job'))
    await settle()
  }
  t.equal(one.handler.open.length, 1)
  one.handler.open[0]?.end(DONE)
  await written(clock)
  one.worker.admit(aJob('a', 'job'))
  await settle()
  t.equal(one.handler.open.length, 2)
})

t.test('an expired worker gives up what it has not begun, but for jobs that live there alone', async (t) => {
  const clock = new ManualClock()
  const queue = inMemory(jobsStore, { clock })
  const stopped = new ManualClock(clock.now())
  const expired = aWorker(t, { clock: stopped, queue, limits: { maxConcurrent: 1 } })
  expired.worker.presume('a', 'quick')
  await expired.worker.start()
  for (const id of ['1', '2', '3']) expired.worker.admit(aJob('a', id))
  await settle()
  expired.worker.admit({ ...aJob('b', 'by hand'), manual: true })
  await settle()
  t.strictSame([expired.worker.running, expired.worker.waiting], [1, 3])
  const other = aWorker(t, { clock, queue })
  await other.worker.start()
  await pass(clock, 5 * MISSED_HEARTBEATS + 10)
  await pass(stopped, 6)
  t.strictSame([expired.worker.running, expired.worker.waiting], [1, 1])
})

t.test('the queue hears nothing of jobs by hand, and of this worker every five seconds', async (t) => {
  const clock = new ManualClock()
  const { queue, calls } = watchedQueue(clock)
  const { worker, handler } = aWorker(t, { clock, queue })
  handler.answer = () => DONE
  await worker.start()
  worker.admit({ ...aJob('a', 'by hand'), manual: true })
  worker.admit(aJob('a', 'job'))
  await written(clock)
  const ended = calls.filter(([name]) => name === 'settle').map(([, given]) => (given[1] as { ended: string[] }).ended)
  t.strictSame(ended, [['job']])
  await pass(clock, 10)
  t.equal(calls.filter(([name]) => name === 'heartbeat').length, 3)
})

t.test('a lane that is back after a minute of failures gets its jobs at once', async (t) => {
  const { clock, one } = two(t)
  one.handler.answer = () => ({ ...LATER, delayMs: 36_000_000 })
  await one.worker.start()
  one.worker.admit(aJob('a', 'old'))
  await pass(clock, 61)
  one.handler.answer = () => DONE
  one.worker.admit(aJob('a', 'new'))
  await settle(20)
  t.strictSame(
    one.handler.events.filter(([event]) => event === 'done').map(([, id]) => id),
    ['new', 'old']
  )
})

t.test('a worker with room takes claim after claim, without waiting for its next look', async (t) => {
  const { queue, one } = two(t, { maxQueue: 4, maxConcurrent: 2 })
  one.handler.answer = () => DONE
  await queue.heartbeat('other')
  const jobs = Array.from({ length: 40 }, (_, index) => ({
    id: `${index}`,
    lane: `lane_${index % 20}`,
    payload: '1',
    held: false
  }))
  await queue.admit('other', jobs)
  await one.worker.start()
  await settle(200)
  t.equal(one.handler.count('done'), 40)
})

t.test('jobs run outside of the context that looks for them, or that admits them', async (t) => {
  const { queue, one } = two(t)
  const context = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  one.handler.answer = ({ lane }) => {
    seen.push([lane, context.getStore()])
    return DONE
  }
  await one.worker.start()
  await queue.heartbeat('other')
  await queue.admit('other', [{ id: 'stored', lane: 'stored', payload: '1', held: false }])
  context.run('request', () => one.worker.look())
  await settle()
  context.run('request', () => one.worker.admit(aJob('admitted')))
  await one.worker.admitted()
  await settle()
  t.strictSame(seen, [
    ['stored', undefined],
    ['admitted', undefined]
  ])
})

t.test('a job that is withdrawn, or can never run, is gone from the queue as well', async (t) => {
  const { clock, queue, one } = two(t)
  await one.worker.start()
  for (const lane of ['a', 'b']) one.worker.admit(aJob(lane, lane))
  await settle()
  one.handler.open[0]?.end({ verdict: 'withdrawn', delayMs: null })
  one.handler.open[1]?.fail(new Error('broken'))
  await written(clock)
  t.equal(one.handler.count('discarded'), 2)
  t.match(await queue.counts(), { waiting: 0, held: 0 })
})

t.test('what a worker got by a claim whose answer was lost is free for others', async (t) => {
  const clock = new ManualClock()
  const { queue, gates } = watchedQueue(clock)
  await queue.heartbeat('other')
  await queue.admit('other', [{ id: 'job', lane: 'a', payload: '1', held: false }])
  gates.set('claim', Promise.reject(new Error('the connection ended')))
  const { worker, handler, lines } = aWorker(t, { clock, queue })
  handler.answer = () => DONE
  await worker.start()
  t.match(await queue.counts(), { held: 1 })
  t.match(lines, [{ text: 'not claimed' }])
  gates.delete('claim')
  await pass(clock, 3)
  t.strictSame(handler.events, [['done', 'job']])
})

t.test('before its lease begins a worker holds nothing', async (t) => {
  const clock = new ManualClock()
  const { queue, calls } = watchedQueue(clock)
  const { worker } = aWorker(t, { clock, queue })
  worker.admit(aJob('a', 'job'))
  await worker.admitted()
  t.match(calls, [['admit', [String, [{ id: 'job', held: false }]]]])
})

for (const aside of [false, true]) {
  t.test(`another job begins while an end is recorded: ${aside}; the queue has the job until it is`, async (t) => {
    const { clock, queue, one } = two(t, { maxQueue: 10, maxConcurrent: 1 })
    let recorded = () => {}
    one.handler.recordsAside = aside
    one.handler.recording = new Promise((resolve) => (recorded = resolve))
    one.worker.presume('a', 'quick')
    await one.worker.start()
    for (const id of ['first', 'second', 'third']) one.worker.admit(aJob('a', id))
    await settle()
    one.handler.open[0]?.end(DONE)
    await settle()
    t.equal(one.handler.open.length, aside ? 2 : 1)
    one.handler.open[1]?.end(DONE)
    await written(clock)
    t.equal(one.handler.open.length, aside ? 2 : 1, 'as many are recorded as there are slots')
    const { waiting, held } = await queue.counts()
    t.equal(waiting + held, 3)
    const stopped = one.worker.stop(10_000)
    let over = false
    void stopped.then(() => (over = true))
    await settle()
    t.equal(over, false, 'a stop waits for what is recorded')
    recorded()
    await stopped
    t.strictSame(one.handler.recorded, aside ? ['first', 'second'] : ['first'])
  })
}
