/** Deliveries and instances of the suite of a durable queue. */
import assert from 'node:assert/strict'
import { randomId } from 'svc-kernel/plugin'
import type { DurableQueue, NewDelivery, Settlement } from './durable-queue.ts'

export const NOTHING: Settlement = { ended: [], retried: [], released: [] }
export const ANY_ROOM = () => Number.POSITIVE_INFINITY

export const aDelivery = (id: string, endpointId = 'wh_1', held = false): NewDelivery => {
  return { id, endpointId, event: JSON.stringify({ id: `event of ${id}`, text: 'ü€𝄞 " \\ \u2028' }), held }
}

export const many = (count: number, endpointId = 'wh_1', held = false) =>
  Array.from({ length: count }, (_, index) => aDelivery(`msg_${endpointId}_${index}`, endpointId, held))

export interface Instance {
  readonly holder: string
  claim(limit?: number, room?: (endpointId: string) => number): Promise<string[]>
  settle(given: Partial<Settlement>): Promise<void>
}

export async function instance(queue: DurableQueue): Promise<Instance> {
  const holder = randomId('holder')
  assert.equal(await queue.extend(holder), true)
  return {
    holder,
    claim: async (limit = 100, room = ANY_ROOM) => (await queue.claim(holder, limit, room)).map(({ id }) => id).sort(),
    settle: (given) => queue.settle(holder, { ...NOTHING, ...given })
  }
}
