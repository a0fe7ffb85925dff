/** A suite that no driver can fail proves nothing: each of these has one fault, and the suite finds it. */
import { inMemory } from 'svc-stores'
import t from 'tap'
import { queueConformance } from '../../src/conformance.ts'
import { QUEUE_OPERATIONS, type Queue } from '../../src/queue.ts'
import { jobsStore } from '../support/jobs.ts'

/** Operations in the place of those of a correct queue. */
type Spoil = (queue: Queue) => Partial<Queue>

const FAULTS: readonly [fault: string, spoil: Spoil, found: RegExp][] = [
  [
    'hands out without holding',
    (queue) => ({
      claim: async (worker, limit, room) => {
        const found = await queue.claim(worker, limit, room)
        await queue.settle(worker, { ended: [], retried: [], released: found.map(({ id }) => id) })
        return found
      }
    }),
    /handed out whole, and once/
  ],
  [
    'forgets the attempts',
    (queue) => ({
      claim: async (...given) => (await queue.claim(...given)).map((job) => ({ ...job, attempts: 0 }))
    }),
    /knows its attempts/
  ],
  [
    'retries at once',
    (queue) => ({
      settle: (worker, { retried, ...rest }) =>
        queue.settle(worker, { ...rest, retried: retried.map((retry) => ({ ...retry, delayMs: 0 })) })
    }),
    /a retry waits for its time/
  ],
  [
    'fills a room twice',
    (queue) => ({ claim: (worker, limit, room) => queue.claim(worker, limit, (id) => 2 * room(id)) }),
    /no job is taken beyond the room/
  ],
  [
    'claims to hold what another worker holds',
    (queue) => ({
      admit: async (worker, jobs) => {
        await queue.admit(worker, jobs)
        return jobs.filter(({ held }) => held).map(({ id }) => id)
      }
    }),
    /holds it if the answer says so/
  ],
  ['keeps what an expired worker held', () => ({ heartbeat: async () => true }), /an expired worker/],
  ['keeps what a worker left', () => ({ leave: async () => undefined }), /a worker that leaves/],
  ['discards nothing', () => ({ discard: async () => 0 }), /a discarded lane loses the jobs/],
  [
    'loses a retry',
    (queue) => ({
      settle: (worker, { ended, retried, released }) =>
        queue.settle(worker, { ended: [...ended, ...retried.map(({ id }) => id)], retried: [], released })
    }),
    /a retry waits for its time/
  ],
  [
    'counts what is held as waiting',
    (queue) => ({
      counts: async () => {
        const { waiting, held, oldestMs } = await queue.counts()
        return { waiting: waiting + held, held: 0, oldestMs }
      }
    }),
    /counts the jobs that wait and that are held/
  ]
]

function spoilt(spoil: Spoil) {
  return async (parts: Parameters<typeof inMemory>[1]): Promise<Queue> => {
    const queue = inMemory(jobsStore, parts)
    const own = Object.fromEntries(QUEUE_OPERATIONS.map((name) => [name, queue[name].bind(queue)]))
    return { ...own, ...spoil(queue) } as unknown as Queue
  }
}

for (const [fault, spoil, found] of FAULTS) {
  t.test(fault, async (t) => {
    const failed: string[] = []
    const runner = {
      test: async (title: string, body: () => Promise<void>) => {
        await body().catch(() => failed.push(title))
      }
    }
    await queueConformance(runner, { makeStore: spoilt(spoil), faults: null })
    t.match(failed.join('\n'), found)
  })
}

t.test('none of them is found in the queue itself', async (t) => {
  const runner = { test: (_: string, body: () => Promise<void>) => body() }
  await t.resolves(queueConformance(runner, { makeStore: spoilt(() => ({})), faults: null }))
})
