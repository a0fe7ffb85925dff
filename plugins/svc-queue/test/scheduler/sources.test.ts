/** A full queue of jobs that one source provokes leaves room for all other jobs, and for what other sources provoke. */
import t from 'tap'
import type { Job } from '../../src/job.ts'
import { LaneScheduler } from '../../src/scheduler/lane-scheduler.ts'
import { Sources } from '../../src/scheduler/sources.ts'
import { aJob } from '../support/jobs.ts'

const provoked = (source: string) => aJob('a', null, source)
const other = () => aJob('a')

t.test('A3: provoked jobs alone take the whole queue, and give way beyond half of it', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 10, maxConcurrent: 2 })
  for (let n = 0; n < 20; n += 1) queue.admit(provoked('192.0.2.1'))
  t.equal(queue.size, 10)
  const displaced = Array.from({ length: 8 }, () => queue.admit(other()))
  t.equal(displaced.filter((job) => job?.source === '192.0.2.1').length, 5)
  t.equal(displaced.filter((job) => job?.source === null).length, 3, 'then the others drop their own kind')
  t.not(queue.admit(provoked('192.0.2.1')), null, 'and a provoked job finds no room')
  t.equal(queue.size, 10)
})

t.test('A3: the source that has most makes room for any other', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 10, maxConcurrent: 2 })
  for (let n = 0; n < 10; n += 1) queue.admit(provoked('2001:db8:0:1::/64'))
  const displaced = Array.from({ length: 8 }, () => queue.admit(provoked('192.0.2.7')))
  const admitted = displaced.filter((job) => job !== null && job.source !== '192.0.2.7')
  t.equal(admitted.length, 5, 'until both have as many')
  t.ok(admitted.every((job) => job?.source === '2001:db8:0:1::/64'))
})

t.test('A3: what waits for a retry gives way as well, what is in a slot does not', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 4, maxConcurrent: 4 })
  queue.presume('a', 'quick')
  for (let n = 0; n < 4; n += 1) queue.admit(provoked('192.0.2.1'))
  const taken = [queue.next(0), queue.next(0), queue.next(0), queue.next(0)]
  for (const [index, job] of taken.slice(1).entries()) queue.retryAt(job as Job, 5000 + index)
  t.strictSame([queue.size, queue.inFlight], [4, 1])
  const displaced = Array.from({ length: 2 }, () => queue.admit(other()))
  t.strictSame(displaced, [taken[3], taken[2]], 'the one that would wait longest comes first')
  t.equal(queue.size, 4)
  t.notOk(queue.admit(other()) === taken[0])
  queue.finish(taken[0] as Job, 'quick')
  queue.clear()
  t.equal(queue.size, 0)
  for (let n = 0; n < 4; n += 1) t.equal(queue.admit(provoked('192.0.2.1')), null, 'every place is free again')
})

t.test('A3: a lane that lost its only job to another is passed over', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 2, maxConcurrent: 4 })
  for (const lane of ['a', 'b']) queue.presume(lane, 'quick')
  const [begun, only] = [provoked('192.0.2.1'), provoked('192.0.2.1')]
  queue.admit(begun)
  t.equal(queue.next(0), begun)
  queue.admit(only)
  const another = aJob('b')
  t.equal(queue.admit(another), only)
  t.equal(queue.next(0), another)
})

t.test('A3: the job that gives way is found in whichever lane it waits', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 2, maxConcurrent: 1 })
  const [first, second] = [aJob('a', null, '192.0.2.1'), aJob('b', null, '192.0.2.1')]
  for (const job of [first, second]) queue.admit(job)
  t.equal(queue.next(0), first)
  t.equal(queue.admit(aJob('c')), second)
})

t.test('A3: whose job makes room, by how many of each source there are', async (t) => {
  const rows: [counts: Record<string, number>, newcomer: string | null, half: number, way: unknown][] = [
    [{}, null, 2, null],
    [{}, 's', 2, null],
    [{ a: 2 }, null, 2, null],
    [{ a: 3 }, null, 2, { source: 'a' }],
    [{ a: 1, b: 2 }, null, 2, { source: 'b' }],
    [{ a: 2 }, 'b', 2, { source: 'a' }],
    [{ a: 1 }, 'b', 2, null],
    [{ a: 1, b: 1 }, 'c', 2, 'itself'],
    [{ a: 1, b: 1 }, 'c', 3, null],
    [{ a: 2, b: 1 }, 'b', 3, 'itself'],
    [{ a: 3, b: 1 }, 'b', 4, { source: 'a' }],
    [{ a: 3 }, 'a', 3, 'itself'],
    [{ a: 3 }, 'a', 4, null]
  ]
  for (const [counts, source, half, way] of rows) {
    const sources = new Sources()
    for (const [name, count] of Object.entries(counts))
      for (let index = 0; index < count; index += 1) sources.entered({ source: name })
    sources.entered({ source: null })
    t.strictSame(sources.givesWay({ source }, half), way, `${JSON.stringify(counts)}, ${source}, half ${half}`)
  }
})

t.test('A3: a provoked job beyond its half displaces none, also in a lane that holds less than others', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 4, maxConcurrent: 1 })
  for (const source of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2']) queue.admit(provoked(source))
  const late = aJob('b', null, '192.0.2.1')
  t.equal(queue.admit(late), late)
})

t.test('A3: those that have left do not count', async (t) => {
  const sources = new Sources()
  for (const source of ['a', 'a', 'b', null]) sources.entered({ source })
  for (const source of ['a', 'a', null]) sources.left({ source })
  t.equal(sources.size, 1)
  t.strictSame(sources.givesWay({ source: null }, 0), { source: 'b' })
})
