/** Queues with a fault, and which cases of the suite find it. */
import { inMemory } from 'svc-stores'
import type { ManualClock } from 'svc-stores/conformance'
import { queueConformance } from '../../src/conformance.ts'
import { QUEUE_OPERATIONS, type Queue } from '../../src/queue.ts'
import { lanesStore } from './jobs.ts'

/** Operations in the place of those of a correct queue. */
export type Spoil = (queue: Queue) => Partial<Queue>

/** The clock of each queue that was made. */
export const clocks: ManualClock[] = []

export function spoilt(spoil: Spoil) {
  return async (parts: Parameters<typeof inMemory>[1]): Promise<Queue> => {
    clocks.push(parts.clock as ManualClock)
    const queue = inMemory(lanesStore, parts)
    const own = Object.fromEntries(QUEUE_OPERATIONS.map((name) => [name, queue[name].bind(queue)]))
    return { ...own, lanes: queue.lanes, ...spoil(queue) } as unknown as Queue
  }
}

/** @returns the titles of the cases that fail, a line each */
export async function failedCases(spoil: Spoil): Promise<string> {
  const failed: string[] = []
  const runner = {
    test: async (title: string, body: () => Promise<void>) => {
      await body().catch(() => failed.push(title))
    }
  }
  await queueConformance(runner, { makeStore: spoilt(spoil), faults: null })
  return failed.join('\n')
}
