/** Jobs of an outbox get to another queue, whatever fails in between: at least once, under one id. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { type Queue, Relay } from '../../src/index.ts'
import { type HeldJob, MISSED_HEARTBEATS } from '../../src/queue.ts'
import { jobsStore, listeningLog, settle, TEXTS } from '../support/jobs.ts'
import { pass } from '../support/workers.ts'

const JOB = { id: 'a', lane: 'mail', payload: '{"to":"ada"}', traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` }

function opened(t: Test, around: Partial<Queue> = {}) {
  const clock = new ManualClock()
  const [outbox, target] = [inMemory(jobsStore, { clock }), inMemory(jobsStore, { clock })]
  const { log, lines } = listeningLog()
  let relayed = 0
  const parts = {
    outbox,
    texts: TEXTS,
    clock,
    log,
    relayed: () => {
      relayed += 1
    }
  }
  const aRelay = (queue: Queue = target) => {
    const relay = new Relay({ ...parts, queue })
    t.teardown(() => relay.stop())
    return relay
  }
  /** Its time stands still, and nothing of it goes on. */
  const aKilledRelay = (queue: Queue) => new Relay({ ...parts, queue, clock: new ManualClock(clock.now()) })
  const queue = new Proxy(target, {
    get: (queue, name: keyof Queue) => around[name] ?? (queue[name] as () => unknown).bind(queue)
  })
  /** All that a worker of the target can get. */
  const taken = async (): Promise<readonly HeldJob[]> => {
    await target.heartbeat('worker')
    return target.claim('worker', 1000, () => 1000)
  }
  return { clock, outbox, target, queue, lines, aRelay, aKilledRelay, taken, relayed: () => relayed }
}

t.test('a job goes over as it was stored, and leaves the outbox', async (t) => {
  const { outbox, aRelay, taken, relayed } = opened(t)
  const relay = aRelay()
  await relay.start()
  t.equal(relayed(), 0)
  await outbox.admit('', [{ ...JOB, held: false }])
  relay.look()
  await settle(10)
  t.strictSame(await outbox.counts(), { waiting: 0, held: 0, oldestMs: null })
  t.strictSame(await taken(), [{ ...JOB, attempts: 0 }])
  t.equal(relayed(), 1)
})

t.test('a job that is to wait goes over once it is due', async (t) => {
  const { clock, outbox, target, aRelay, taken } = opened(t)
  await aRelay().start()
  await outbox.admit('', [{ ...JOB, delayMs: 30_000, held: false }])
  await pass(clock, 28)
  t.equal((await target.counts()).waiting, 0)
  await pass(clock, 4)
  t.strictSame(await taken(), [{ ...JOB, attempts: 0 }])
})

t.test('more than one call takes go over, in the order of their admission', async (t) => {
  const { clock, outbox, aRelay, taken } = opened(t)
  const ids = Array.from({ length: 1_234 }, (_, index) => `job_${String(index).padStart(4, '0')}`)
  for (const id of ids) {
    await outbox.admit('', [{ id, lane: 'mail', payload: '{}', held: false }])
    clock.advance(1)
  }
  await aRelay().start()
  const got = [...(await taken()), ...(await taken())].map(({ id }) => id)
  t.strictSame(got, ids)
})

t.test('a queue that is away is asked once a second, and gets what was stored meanwhile', async (t) => {
  let [isAway, calls] = [true, 0]
  const { clock, outbox, target, queue, lines, aRelay, taken } = opened(t, {
    admit: (worker, jobs) => {
      calls += 1
      return isAway ? Promise.reject(new Error('away')) : target.admit(worker, jobs)
    }
  })
  const relay = aRelay(queue)
  await outbox.admit('', [{ ...JOB, held: false }])
  await relay.start()
  for (const id of ['b', 'c', 'd']) {
    await outbox.admit('', [{ ...JOB, id, held: false }])
    relay.look()
    await settle()
  }
  t.equal(calls, 1, 'not for each job that is added')
  clock.advance(1_000)
  await settle(10)
  t.equal(calls, 2)
  t.strictSame(
    lines.filter(({ level }) => level === 'error').map(({ text }) => text),
    ['not admitted']
  )
  isAway = false
  clock.advance(1_000)
  await settle(10)
  t.strictSame((await taken()).map(({ id }) => id).sort(), ['a', 'b', 'c', 'd'])
  t.equal((await outbox.counts()).oldestMs, null)
})

t.test('what a relay was killed with goes over again, under its id', async (t) => {
  const { clock, outbox, target, queue, aRelay, aKilledRelay, taken } = opened(t, {
    // The queue has the job, and the relay never learns of it.
    admit: async (worker, jobs) => {
      await target.admit(worker, jobs)
      return new Promise(() => undefined)
    }
  })
  await outbox.admit('', [{ ...JOB, held: false }])
  void aKilledRelay(queue).start()
  await settle(10)
  t.match([await outbox.counts(), await target.counts()], [{ held: 1 }, { waiting: 1 }])
  await outbox.admit('', [{ ...JOB, id: 'b', held: false }])
  await aRelay().start()
  await pass(clock, 5 * (MISSED_HEARTBEATS + 2))
  t.strictSame((await taken()).map(({ id }) => id).sort(), ['a', 'b'])
  t.equal((await outbox.counts()).oldestMs, null)
})

t.test('a stop gives back what it holds', async (t) => {
  const { outbox, queue, aRelay, taken } = opened(t, { admit: () => Promise.reject(new Error('away')) })
  const relay = aRelay(queue)
  await outbox.admit('', [{ ...JOB, held: false }])
  await relay.start()
  t.match(await outbox.counts(), { waiting: 0, held: 1 })
  await relay.stop()
  t.match(await outbox.counts(), { waiting: 1, held: 0 })
  await aRelay().start()
  t.equal((await taken()).length, 1)
})

t.test('a claim whose answer is lost leaves nothing with the relay', async (t) => {
  const { clock, outbox, target, taken } = opened(t)
  let isLost = true
  const doubtful = new Proxy(outbox, {
    get: (queue, name: keyof Queue) => {
      if (name !== 'claim' || !isLost) return (queue[name] as () => unknown).bind(queue)
      return async (...given: Parameters<Queue['claim']>) => {
        await queue.claim(...given)
        isLost = false
        return new Promise(() => undefined)
      }
    }
  })
  const { log } = listeningLog()
  const relay = new Relay({ outbox: doubtful, queue: target, texts: TEXTS, clock, log, relayed: () => undefined })
  await outbox.admit('', [{ ...JOB, held: false }])
  void relay.start()
  await settle(10)
  t.match(await outbox.counts(), { held: 1 })
  await pass(clock, 60)
  t.equal((await taken()).length, 1)
  await relay.stop()
})
