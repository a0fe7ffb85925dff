/** What the cases of a queue run on: its drivers, two workers, and jobs. */
import assert from 'node:assert/strict'
import { randomId } from 'svc-kernel/plugin'
import type { ConformanceCase, ConformanceSubject, ManualClock, Operations } from 'svc-stores/conformance'
import type { NewJob, OutcomeBatch, Queue } from '../queue.ts'

export interface QueueSubject extends ConformanceSubject<Queue> {
  /** Lets time pass, for a driver with its own clock. Default: the clock of the case is advanced. */
  readonly elapse?: (ms: number) => Promise<void>
  /** `false`: the driver has no `lanes`, and no job a priority. Default `true`: that is proven too. */
  readonly lanes?: false
}

export type Elapse = (clock: ManualClock, ms: number) => Promise<void>

export const NOTHING: OutcomeBatch = { ended: [], retried: [], released: [] }
export const ANY_ROOM = () => Number.POSITIVE_INFINITY

export const aJob = (id: string, lane = 'wh_1', held = false): NewJob => {
  return { id, lane, payload: JSON.stringify({ id: `payload of ${id}`, text: 'ü€𝄞 " \\ \u2028' }), held }
}

export const many = (count: number, lane = 'wh_1', held = false) =>
  Array.from({ length: count }, (_, index) => aJob(`msg_${lane}_${index}`, lane, held))

export interface TestWorker {
  readonly name: string
  claim(limit?: number, room?: (lane: string) => number): Promise<string[]>
  settle(given: Partial<OutcomeBatch>): Promise<void>
}

export async function aWorker(queue: Queue): Promise<TestWorker> {
  const name = randomId('worker')
  assert.equal(await queue.heartbeat(name), true)
  return {
    name,
    claim: async (limit = 100, room = ANY_ROOM) => (await queue.claim(name, limit, room)).map(({ id }) => id).sort(),
    settle: (given) => queue.settle(name, { ...NOTHING, ...given })
  }
}

export const operations: Operations<Queue> = {
  admit: (queue) => queue.admit('a', [aJob('msg_1')]),
  claim: (queue) => queue.claim('a', 1, ANY_ROOM),
  heartbeat: (queue) => queue.heartbeat('a'),
  settle: (queue) => queue.settle('a', { ...NOTHING, ended: ['msg_1'] }),
  reschedule: (queue) => queue.reschedule('wh_1', 10),
  discard: (queue) => queue.discard('wh_1'),
  counts: (queue) => queue.counts(),
  pending: (queue) => queue.pending('wh_1', 10),
  leave: (queue) => queue.leave('a')
}

/** A queue and two of its workers. */
export interface Shared {
  readonly queue: Queue
  readonly a: TestWorker
  readonly b: TestWorker
  readonly clock: ManualClock
}

export function shared(name: string, body: (given: Shared) => Promise<void>): ConformanceCase<Queue> {
  return [
    name,
    async ({ store: queue, clock }) => body({ queue, a: await aWorker(queue), b: await aWorker(queue), clock })
  ]
}
