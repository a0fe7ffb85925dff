/** Outcomes whose writing is late, or unknown: they free no job that was handed out since. */

import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import type { Attempt, Queue } from '../../src/index.ts'
import { aJob, lanesStore, settle } from '../support/jobs.ts'
import { aWorker, pass } from '../support/workers.ts'

const AGAIN: Attempt = { verdict: 'retry', delayMs: 0 }

/** A job of a lane of one runs; answers of an operation are lost, or come late, where a test says so. */
async function laneOfOne(t: Parameters<typeof aWorker>[0]) {
  const clock = new ManualClock()
  const kept = inMemory(lanesStore, { clock })
  const answers = new Map<string, (work: () => Promise<unknown>) => Promise<unknown>>()
  const queue = new Proxy(kept, {
    get: (target, name: keyof Queue) => {
      const call = target[name]
      if (typeof call !== 'function') return call
      return (...given: unknown[]) => {
        const work = async () => (call as (...given: unknown[]) => unknown).apply(target, given)
        return answers.get(name)?.(work) ?? work()
      }
    }
  })
  const limits = { lanes: (lane: string) => (lane === 'till' ? { concurrent: 1 } : undefined) }
  const { worker, handler } = aWorker(t, { clock, queue, limits })
  await worker.start()
  const add = async (id: string) => {
    worker.admit(aJob('till', id))
    await settle()
    await pass(clock, 1)
  }
  await add('first')
  const begun = () => handler.open.map(({ job }) => job.id)
  return { clock, kept, answers, handler, begun, add }
}

t.test('an outcome under a name that the worker has given up', async (t) => {
  const { clock, kept, answers, handler, begun, add } = await laneOfOne(t)
  t.strictSame(begun(), ['first'])
  answers.set('claim', () => Promise.reject(new Error('the connection ended')))
  await pass(clock, 1)
  t.equal(handler.leasesLost, 1)
  answers.delete('claim')
  let write = () => {}
  const late = new Promise<void>((resolve) => (write = resolve))
  answers.set('settle', (work) => late.then(work))
  handler.open[0]?.end(AGAIN)
  await settle()
  clock.advance(50)
  await settle()
  await pass(clock, 2)
  t.strictSame(begun(), ['first', 'first'], 'handed out again')
  write()
  await settle(10)
  await add('second')
  t.strictSame(begun(), ['first', 'first'], 'no other job of its lane began beside it')
  t.match(await kept.counts(), { waiting: 1, held: 1 })
})

t.test('an outcome that was written, but the answer was lost', async (t) => {
  const { clock, kept, answers, handler, begun, add } = await laneOfOne(t)
  let lost = 0
  answers.set('settle', async (work) => {
    await work()
    lost += 1
    if (lost === 1) throw new Error('the connection ended')
  })
  handler.open[0]?.end(AGAIN)
  await settle()
  clock.advance(50)
  await settle(10)
  t.equal(lost, 1)
  for (let step = 0; step < 300; step += 1) {
    clock.advance(10)
    await settle()
  }
  t.ok(lost > 1, 'it was written again')
  t.strictSame(begun(), ['first', 'first'], 'handed out again')
  await add('second')
  t.strictSame(begun(), ['first', 'first'], 'no other job of its lane began beside it')
  t.match(await kept.counts(), { waiting: 1, held: 1 })
})
