/** The loop: slots, bounds and drops in memory; leases, retries and outages with a shared queue; what a stop loses. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import {
  type Attempt,
  type HeldJob,
  type Job,
  type JobCodec,
  type JobEvent,
  type JobHandler,
  MISSED_HEARTBEATS,
  type Queue,
  Worker,
  type WorkerLimits
} from '../src/index.ts'
import { aJob, jobsStore, listeningLog, settle, TEXTS } from './support/jobs.ts'

const DONE: Attempt = { verdict: 'done', health: 'quick', delayMs: null }
const FAILED: Attempt = { verdict: 'failed', health: 'quick', delayMs: null }
const LATER: Attempt = { verdict: 'retry', health: 'unproven', delayMs: 5_000 }

const LIMITS = { maxQueue: 1000, maxConcurrent: 8 }

/** Notes what happens; attempts stay open until the test ends them, or get `answer`. */
class Recorder implements JobHandler<Job, Attempt>, JobCodec<Job> {
  readonly events: [event: JobEvent, id: string][] = []
  readonly open: { readonly job: Job; end(attempt: Attempt): void; fail(error: Error): void }[] = []
  readonly recorded: string[] = []
  readonly withdrawals: string[] = []
  readonly errors: unknown[] = []
  answer: ((job: Job) => Attempt) | null = null
  bursts = 0

  attempt(job: Job): Promise<Attempt> {
    if (this.answer !== null) return Promise.resolve(this.answer(job))
    return new Promise((resolve, reject) => this.open.push({ job, end: resolve, fail: reject }))
  }

  async record(job: Job): Promise<void> {
    this.recorded.push(String(job.id))
  }

  happened(event: JobEvent, job: Job): void {
    this.events.push([event, String(job.id)])
  }

  withdrawn(job: Job): void {
    this.withdrawals.push(String(job.id))
  }

  impossible(_job: Job, error: unknown): void {
    this.errors.push(error)
  }

  roomAgain(): void {
    this.bursts += 1
  }

  idOf({ id }: Job): string {
    return String(id)
  }

  write({ id }: Job): string | null {
    return id === 'unwritable' ? null : JSON.stringify({ id })
  }

  read({ id, lane, payload, attempts }: HeldJob): Job | null {
    return payload === '"unreadable"' ? null : { ...aJob(lane, id), attempts }
  }

  unreadable({ id }: HeldJob): void {
    this.errors.push(id)
  }

  count(event: JobEvent): number {
    return this.events.filter(([name]) => name === event).length
  }
}

interface Given {
  readonly clock?: ManualClock
  readonly queue?: Queue
  readonly limits?: Partial<WorkerLimits>
}

function aWorker(t: Test, { clock = new ManualClock(), queue, limits = {} }: Given = {}) {
  const { log, lines } = listeningLog()
  const handler = new Recorder()
  const shared = queue === undefined ? null : { queue, codec: handler, texts: TEXTS }
  const worker = new Worker<Job, Attempt>({ handler, limits: { ...LIMITS, ...limits }, shared, clock, log })
  const close = async () => {
    const stopping = worker.stop(1_000)
    await settle()
    clock.advance(1_000)
    await stopping
    await worker.close()
  }
  t.teardown(close)
  return { worker, handler, clock, lines, close }
}

/** Lets this many seconds pass, one by one. */
async function pass(clock: ManualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance(1_000)
    await settle()
  }
}

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
  const kept = inMemory(jobsStore, { clock })
  let away = false
  const queue = new Proxy(kept, {
    get: (target, name: keyof Queue) => {
      const call = target[name]
      if (typeof call !== 'function') return call
      return async (...given: never[]) => {
        if (away) throw new Error('away')
        return (call as (...given: never[]) => unknown).apply(target, given)
      }
    }
  })
  const { worker, handler, lines } = aWorker(t, { clock, queue })
  await worker.start()
  away = true
  worker.admit(aJob('a', 'job'))
  await t.rejects(worker.admitted(), { code: 'TEST_UNAVAILABLE', message: 'admit' })
  await t.rejects(worker.counts(), { code: 'TEST_UNAVAILABLE', message: 'counts' })
  t.equal(await worker.pending('a', 10), null)
  t.match(lines, [{ text: 'not admitted' }, { text: 'not counted' }, { text: 'not listed' }])
  away = false
  handler.answer = () => DONE
  await pass(clock, 2)
  t.equal(handler.count('done'), 1)
})
