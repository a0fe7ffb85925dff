/** A suite that no queue can fail proves nothing: each of these queues has one fault, and the suite finds it. */
import { inMemory } from 'svc-stores'
import t from 'tap'
import { DURABLE_OPERATIONS, type DurableQueue } from '../../../src/delivery/durable/durable-queue.ts'
import { durableQueueConformance } from '../../../src/delivery/durable/durable-queue-conformance.ts'
import { deliveriesStore } from '../../../src/delivery/durable/store-queue.ts'

/** Operations of its own in the place of those of a queue that is right. */
type Spoil = (queue: DurableQueue) => Partial<DurableQueue>

const FAULTS: readonly [fault: string, spoil: Spoil, found: RegExp][] = [
  [
    'hands out without holding',
    (queue) => ({
      claim: async (holder, limit, room) => {
        const found = await queue.claim(holder, limit, room)
        await queue.settle(holder, { ended: [], retried: [], released: found.map(({ id }) => id) })
        return found
      }
    }),
    /handed out whole, and once/
  ],
  [
    'forgets the attempts',
    (queue) => ({
      claim: async (...given) => (await queue.claim(...given)).map((delivery) => ({ ...delivery, attempts: 0 }))
    }),
    /knows its attempts/
  ],
  [
    'retries at once',
    (queue) => ({
      settle: (holder, { retried, ...rest }) =>
        queue.settle(holder, { ...rest, retried: retried.map((retry) => ({ ...retry, delayMs: 0 })) })
    }),
    /a retry waits for its time/
  ],
  [
    'fills a room twice',
    (queue) => ({ claim: (holder, limit, room) => queue.claim(holder, limit, (id) => 2 * room(id)) }),
    /none is taken beyond its room/
  ],
  [
    'says that it holds what another holds',
    (queue) => ({
      admit: async (holder, deliveries) => {
        await queue.admit(holder, deliveries)
        return deliveries.filter(({ held }) => held).map(({ id }) => id)
      }
    }),
    /belongs to whoever admitted it/
  ],
  ['keeps what a dead holder had', () => ({ extend: async () => true }), /a holder that falls silent/],
  ['keeps what a holder left', () => ({ leave: async () => undefined }), /a holder that leaves/],
  [
    'forgets the deleted endpoint alone',
    () => ({ discard: async () => 0 }),
    /what nobody holds of a deleted endpoint goes/
  ],
  [
    'loses a retry',
    (queue) => ({
      settle: (holder, { ended, retried, released }) =>
        queue.settle(holder, { ended: [...ended, ...retried.map(({ id }) => id)], retried: [], released })
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
    /counts what waits and what is held/
  ]
]

function spoilt(spoil: Spoil) {
  return async (parts: Parameters<typeof inMemory>[1]): Promise<DurableQueue> => {
    const queue = inMemory(deliveriesStore, parts)
    const own = Object.fromEntries(DURABLE_OPERATIONS.map((name) => [name, queue[name].bind(queue)]))
    return { ...own, ...spoil(queue) } as unknown as DurableQueue
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
    await durableQueueConformance(runner, { makeStore: spoilt(spoil), faults: null })
    t.match(failed.join('\n'), found)
  })
}

t.test('none of them is found in the queue itself', async (t) => {
  const runner = { test: (_: string, body: () => Promise<void>) => body() }
  await t.resolves(durableQueueConformance(runner, { makeStore: spoilt(() => ({})), faults: null }))
})
