/** A stop of a worker of a shared queue: what it leaves there, what it begins no more, and what is lost where the queue is away. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { aJob, settle } from '../support/jobs.ts'
import { aWorker, DONE, pass, watchedQueue, written } from '../support/workers.ts'

t.test(
  'a stop says what it leaves in the queue; one that cannot reach the queue says so, and counts what is lost',
  async (t) => {
    const clock = new ManualClock()
    const { queue, state } = watchedQueue(clock)
    const first = aWorker(t, { clock, queue, limits: { maxConcurrent: 1 } })
    first.worker.presume('a', 'quick')
    await first.worker.start()
    for (const id of ['1', '2']) first.worker.admit(aJob('a', id))
    await settle()
    t.strictSame([first.worker.running, first.worker.waiting], [1, 1])
    await first.close()
    t.match(first.lines, [{ level: 'info', fields: { waiting: 2, held: 0, lost: 0 }, text: '2 jobs are left' }])
    t.strictSame([first.handler.count('discarded'), first.worker.lost, clock.pending], [0, 0, 0])

    const second = aWorker(t, { clock, queue })
    second.handler.answer = () => DONE
    await second.worker.start()
    await written(clock)
    t.match(await queue.counts(), { waiting: 0, held: 0 })
    await second.close()
    t.strictSame(second.lines, [], 'an empty queue is not worth a line')

    const third = aWorker(t, { clock, queue })
    await third.worker.start()
    state.away = true
    third.worker.admit(aJob('a', 'lost'))
    const closing = third.close()
    await pass(clock, 10)
    await closing
    t.equal(third.worker.lost, 1)
    t.ok(third.lines.some(({ text }) => text === 'not left'))
    state.away = false
  }
)

t.test('a job that is stored after the stop began is left to others', async (t) => {
  const clock = new ManualClock()
  const { queue, gates } = watchedQueue(clock)
  const { worker, handler, close } = aWorker(t, { clock, queue })
  await worker.start()
  let open = () => {}
  gates.set('admit', new Promise((resolve) => (open = resolve)))
  worker.admit(aJob('a', 'job'))
  await settle()
  const closing = close()
  open()
  await closing
  t.strictSame([worker.waiting, worker.running, worker.lost, handler.open.length], [0, 0, 0, 0])
  t.match(await queue.counts(), { waiting: 1, held: 0 })
})

t.test('a worker that stops while it begins begins nothing', async (t) => {
  const clock = new ManualClock()
  const { queue, gates, calls } = watchedQueue(clock)
  let open = () => {}
  gates.set('heartbeat', new Promise((resolve) => (open = resolve)))
  const { worker } = aWorker(t, { clock, queue })
  const starting = worker.start()
  await settle()
  await worker.stop(0)
  open()
  await starting
  t.strictSame([calls.map(([name]) => name), clock.pending], [['heartbeat'], 0])
  await worker.start()
  t.strictSame([calls.length, clock.pending], [1, 0])
})
